import { expect, test } from 'vitest'
import { enrollTotp } from '../../../../testing/identity/enroll-factors.ts'
import { credentialOf, PASSWORD } from '../../../../testing/identity/identity-fixture.ts'
import { logIn } from '../../../../testing/identity/log-in.ts'
import { newMember } from '../../../../testing/identity/new-member.ts'
import { sentLinks } from '../../../../testing/identity/sent-links.ts'
import { organizationWithSso, ssoMailFixture } from '../../../../testing/identity/sso-fixture.ts'
import { freshNetwork } from '../../../../testing/surfaces/fresh-network.ts'
import { useFixture } from '../../../../testing/use-fixture.ts'
import { inTransaction, type Role } from '../../../database/index.ts'
import { confirmPasswordReset } from '../../addresses/confirm-password-reset.ts'
import { confirmVerification } from '../../addresses/confirm-verification.ts'
import { requestPasswordReset } from '../../addresses/request-password-reset.ts'
import { listAuditLog } from '../../audit/list-audit-log.ts'
import { addMember } from '../../members/add-member.ts'
import { requireApprover } from '../../members/require-approver.ts'
import { updateMember } from '../../members/update-member.ts'
import { authenticateBearer } from '../../sessions/authenticate-bearer.ts'
import { changePassword } from '../../sessions/change-password.ts'
import { resolveMember } from './resolve-member.ts'

const parts = useFixture(ssoMailFixture)
const live = () => ({ ...parts, assignedPasswords: 'one-time' as const })
const OWN = 'chosen by the first to use it'
const address = '192.0.2.66'

/** An organization whose provider gives `claimed`, and an admin of it. */
async function home(claimed: Role = 'approver') {
  const roles = { roleClaim: 'groups', roleMappings: [{ value: 'staff', role: claimed }] } as const
  const made = await organizationWithSso(parts, { ...roles, allowOwner: claimed === 'owner' })
  const { credential: admin } = await newMember(parts, made.owner, 'admin')
  return { ...made, admin, email: `grace@${made.domain}` }
}
type Home = Awaited<ReturnType<typeof home>>

const withPassword = (email: string, password = OWN) => logIn(live(), { email, password, address })

/** The first use of a one-time password, by anybody: another takes its place. */
async function firstUse(email: string) {
  const { accessToken } = await withPassword(email, PASSWORD)
  const credential = await credentialOf(parts, accessToken)
  await changePassword(live(), credential, { currentPassword: PASSWORD, newPassword: OWN, address })
  return { accessToken, credential }
}

/** Adds Grace with a password that the admin is the first to use. */
async function held({ admin, email }: Home, role: Role = 'approver') {
  const { id } = await addMember(live(), admin, { email, role, password: PASSWORD })
  return { id, ...(await firstUse(email)) }
}

function signIn({ owner, provider, email }: Home, subject = 'grace') {
  const { organizationId } = owner
  const about = { organizationId, providerId: provider.id, at: parts.clock.now(), from: '192.0.2.7' }
  const context = { ...about, rules: parts.sso.roleRules, assignedPasswords: 'one-time', notices: parts } as const
  const claims = { email, email_verified: true, groups: ['staff'] }
  const verified = { issuer: provider.issuer, subject, claims, signedClaims: {} }
  return inTransaction(parts.db, (tx) => resolveMember(tx, context, verified))
}

const isRefused = { code: 'UNAUTHORIZED' }

test('the password and session of an admin who was the first to sign in as a member end, and never own', async () => {
  const at = await home('owner')
  const { id, accessToken } = await held(at, 'viewer')
  expect((await signIn(at)).id).toBe(id)
  expect(await authenticateBearer(parts, accessToken)).toBeUndefined()
  await expect(withPassword(at.email)).rejects.toMatchObject(isRefused)
  const { items } = await listAuditLog(
    parts,
    at.owner.organizationId,
    { action: 'endAssignedSignIn' },
    {
      limit: 1,
      offset: 0,
    },
  )
  expect(items).toMatchObject([{ action: 'endAssignedSignIn', objectId: id, actor: { type: 'system' } }])
})

test('a day later the admin cannot approve as the member, who can', async () => {
  const at = await home()
  const { id } = await held(at)
  parts.clock.advance(30 * 86_400_000)
  await signIn(at)
  const { organizationId } = at.owner
  const approve = () =>
    inTransaction(parts.db, (tx) => requireApprover(tx, parts.clock.now(), { organizationId, userId: id }))
  await expect(approve()).rejects.toMatchObject({ message: /24 hours/ })
  parts.clock.advance(86_400_000)
  await approve()
  await expect(withPassword(at.email)).rejects.toMatchObject(isRefused)
})

test('second factors and links in emails that belong to the password end with it', async () => {
  const at = await home()
  const { id, credential } = await held(at)
  await enrollTotp(parts, credential, OWN)
  const { organizationId } = at.owner
  const links = await sentLinks(parts, { organizationId, id, email: at.email })
  await signIn(at)
  expect(await links.working()).toEqual([])
  const users = parts.db.selectFrom('users').select('second_factors').where('id', '=', id)
  expect(await users.executeTakeFirst()).toEqual({ second_factors: [] })
  const totp = parts.db.selectFrom('user_totp').selectAll().where('user_id', '=', id)
  expect(await totp.execute()).toEqual([])
})

test('a password that an admin reset ends too, although the member had proved the address', async () => {
  const at = await home()
  const { id } = await held(at)
  const proved = { email_verified_at: parts.clock.now(), password_assigned_at: null }
  await parts.db.updateTable('users').set(proved).where('id', '=', id).execute()
  await updateMember(live(), { actor: at.admin, memberId: id, changes: { password: PASSWORD } })
  const { accessToken } = await firstUse(at.email)
  await signIn(at)
  expect(await authenticateBearer(parts, accessToken)).toBeUndefined()
})

test('a member from before the column is held by others while the address is not proved', async () => {
  const at = await home()
  const { id, accessToken } = await held(at)
  await parts.db.updateTable('users').set({ password_assigned_at: null }).where('id', '=', id).execute()
  await signIn(at)
  expect(await authenticateBearer(parts, accessToken)).toBeUndefined()
})

test('an owner who registered keeps password and session, proved or not', async () => {
  const at = await home('owner')
  const { owner, email } = at
  await parts.db.updateTable('users').set({ email }).where('id', '=', owner.userId).execute()
  const { accessToken } = await withPassword(email, PASSWORD)
  expect((await signIn(at)).id).toBe(owner.userId)
  expect(await authenticateBearer(parts, accessToken)).toMatchObject({ userId: owner.userId })
  await withPassword(email, PASSWORD)
})

test('a member who set a password by an email keeps it, unless a second factor is older', async () => {
  for (const isEnrolled of [false, true]) {
    const at = await home()
    const { credential } = await held(at)
    if (isEnrolled) await enrollTotp(parts, credential, OWN)
    await parts.mails()
    await requestPasswordReset(parts, at.email)
    const token = await parts.tokenFor(at.email)
    const mine = 'only Grace knows this one'
    await confirmPasswordReset(parts, { token, newPassword: mine, address: freshNetwork() })
    await signIn(at)
    if (isEnrolled) await expect(withPassword(at.email, mine)).rejects.toMatchObject(isRefused)
    else await withPassword(at.email, mine)
  }
})

test('a member who proved the address with their own password keeps it; with the one-time password it ends', async () => {
  for (const isOwn of [true, false]) {
    const at = await home()
    await parts.mails()
    await addMember(live(), at.admin, { email: at.email, role: 'approver', password: PASSWORD })
    const token = await parts.tokenFor(at.email)
    if (isOwn) await firstUse(at.email)
    const password = isOwn ? OWN : PASSWORD
    await confirmVerification(parts, { token, password, takeAddress: false, address: freshNetwork() })
    if (!isOwn) await firstUse(at.email)
    await signIn(at)
    if (isOwn) await withPassword(at.email)
    else await expect(withPassword(at.email)).rejects.toMatchObject(isRefused)
  }
})

test('later sign-ins, and another account of the same person, end nothing', async () => {
  const at = await home()
  const { id } = await held(at)
  await signIn(at)
  const { organizationId } = at.owner
  await parts.db.deleteFrom('sso_identities').where('organization_id', '=', organizationId).execute()
  await requestPasswordReset(parts, at.email)
  const mine = 'only Grace knows this one'
  await parts
    .mails()
    .then((mails) => mails.findLast(({ content }) => content.kind === 'password_reset')!.content as { token: string })
    .then(({ token }) => confirmPasswordReset(parts, { token, newPassword: mine, address: freshNetwork() }))
  const { accessToken } = await withPassword(at.email, mine)
  for (const subject of ['again', 'again']) expect((await signIn(at, subject)).id).toBe(id)
  expect(await authenticateBearer(parts, accessToken)).toMatchObject({ userId: id })
})
