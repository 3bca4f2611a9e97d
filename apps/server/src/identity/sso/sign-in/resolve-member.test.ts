// Also tested in: apply-role.test.ts, end-assigned-sign-in.test.ts, linked-accounts.test.ts, system/attacks/sso.test.ts.

import { expect, test } from 'vitest'
import { overlap } from '../../../../testing/database/overlap.ts'
import { organization, PASSWORD } from '../../../../testing/identity/identity-fixture.ts'
import { logIn } from '../../../../testing/identity/log-in.ts'
import { newMember } from '../../../../testing/identity/new-member.ts'
import { sentLinks } from '../../../../testing/identity/sent-links.ts'
import { organizationWithSso, ssoMailFixture } from '../../../../testing/identity/sso-fixture.ts'
import { useFixture } from '../../../../testing/use-fixture.ts'
import { updateChangePolicy } from '../../../changes/index.ts'
import { inTransaction } from '../../../database/index.ts'
import { listAuditLog } from '../../audit/list-audit-log.ts'
import { addMember } from '../../members/add-member.ts'
import { listMembers } from '../../members/list-members.ts'
import { removeMember } from '../../members/remove-member.ts'
import { requireApprover } from '../../members/require-approver.ts'
import { updateMember } from '../../members/update-member.ts'
import { authenticateBearer } from '../../sessions/authenticate-bearer.ts'
import { updateProvider } from '../providers/update-provider.ts'
import { admitMember } from './admit-member.ts'
import { resolveMember } from './resolve-member.ts'

const parts = useFixture(ssoMailFixture)

type Organization = Awaited<ReturnType<typeof organizationWithSso>>

async function signIn(home: Organization, subject: string, claims: object): Promise<number> {
  return (await resolve(home, subject, claims)).id
}

function resolve(
  { owner, provider }: Organization,
  subject: string,
  claims: object,
  assignedPasswords = parts.assignedPasswords,
) {
  const { organizationId } = owner
  const rules = parts.sso.roleRules
  const about = { organizationId, providerId: provider.id, at: parts.clock.now(), from: '192.0.2.7' }
  const context = { ...about, rules, assignedPasswords, notices: parts }
  const verified = { issuer: provider.issuer, subject, claims: { ...claims }, signedClaims: {} }
  return inTransaction(parts.db, (tx) => resolveMember(tx, context, verified))
}

const refused = (reason: string) => ({ code: 'FORBIDDEN', details: { reason } })
const members = async ({ owner }: Organization) => (await listMembers(parts, owner.organizationId)).items
const withPassword = (email: string) => logIn(parts, { email, password: PASSWORD, address: '192.0.2.1' })
const verifiedAt = (domain: string, name = 'ada') => ({ email: `${name}@${domain}`, email_verified: true })

test('the first sign-in with a verified address of a proved domain creates the member', async () => {
  const home = await organizationWithSso(parts)
  const id = await signIn(home, 'sub-1', { ...verifiedAt(home.domain), name: 'Ada' })
  const [member] = await members(home)
  expect(member).toMatchObject({ id, email: `ada@${home.domain}`, name: 'Ada', role: 'viewer' })
  await expect(withPassword(member!.email)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
})

test('later sign-ins find the member by issuer and subject, whatever the address is', async () => {
  const home = await organizationWithSso(parts)
  const id = await signIn(home, 'sub-1', verifiedAt(home.domain))
  expect(await signIn(home, 'sub-1', { email: 'renamed@elsewhere.example' })).toBe(id)
  expect(await signIn(home, 'sub-1', {})).toBe(id)
  expect((await members(home)).length).toBe(2)
})

test('a member with a new account approves after a day, and so does a viewer whose claims give a higher role', async () => {
  const roleMappings = [
    { value: 'staff', role: 'viewer' },
    { value: 'approvers', role: 'approver' },
  ] as const
  const roles = { roleClaim: 'role', roleMappings }
  const home = await organizationWithSso(parts, roles)
  const { organizationId } = home.owner
  const approves = (userId: number) =>
    inTransaction(parts.db, (tx) => requireApprover(tx, parts.clock.now(), { organizationId, userId }))
  const signInLive = async (subject: string, claims: object) => (await resolve(home, subject, claims, 'one-time')).id
  const known = await admitMember(parts, home.owner, { email: `grace@${home.domain}`, role: 'approver' })
  await approves(known.id)
  const approver = { role: 'approvers' }
  // The provider of an admin claims to be hers.
  expect(await signInLive('forged', { ...verifiedAt(home.domain, 'grace'), ...approver })).toBe(known.id)
  await expect(approves(known.id)).rejects.toMatchObject({ code: 'FORBIDDEN', message: /24 hours/ })
  const made = await signInLive('new', { ...verifiedAt(home.domain, 'new'), ...approver })
  const raised = await signInLive('raised', { ...verifiedAt(home.domain, 'raised'), role: 'staff' })
  parts.clock.advance(86_400_000)
  for (const id of [known.id, made]) await approves(id)
  expect(await signInLive('raised', approver)).toBe(raised)
  await expect(approves(raised)).rejects.toMatchObject({ code: 'FORBIDDEN', message: /24 hours/ })
  parts.clock.advance(86_400_000 - 1)
  // Signing in again with the same account and role pauses nothing.
  await signInLive('raised', approver)
  await signInLive('new', approver)
  await approves(made)
  await expect(approves(raised)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  parts.clock.advance(1)
  await approves(raised)
})

test.each([
  ['unverified', { email_verified: false }],
  ['not said to be verified', { email_verified: undefined }],
  ['verified by another word', { email_verified: 'yes' }],
  ['no text', { email: 5 }],
  ['no address', { email: 'ada' }],
])('an address that is %s matches nobody and creates nobody', async (_name, claims) => {
  const home = await organizationWithSso(parts)
  await admitMember(parts, home.owner, { email: `ada@${home.domain}`, role: 'admin' })
  const attempt = signIn(home, 'sub-1', { ...verifiedAt(home.domain), ...claims })
  await expect(attempt).rejects.toMatchObject(refused('email_not_verified'))
  expect((await members(home)).length).toBe(2)
})

test('a verified address of a domain that the organization did not prove for the provider is refused', async () => {
  const home = await organizationWithSso(parts)
  for (const domain of ['elsewhere.example', `sub.${home.domain}`, `${home.domain}.evil.example`]) {
    await expect(signIn(home, 'sub-1', verifiedAt(domain))).rejects.toMatchObject(refused('domain_not_proved'))
  }
  await updateProvider(parts, { actor: home.owner, providerId: home.provider.id, changes: { domains: [] } })
  await expect(signIn(home, 'sub-1', verifiedAt(home.domain))).rejects.toMatchObject(refused('domain_not_proved'))
})

/** A member of another organization with the address that a person of `home` signs in with. */
async function holderElsewhere(home: Organization, isProved: boolean) {
  const other = (await organization(parts)).owner
  const email = `ada@${home.domain}`
  const { id } = await addMember(parts, other, { email, role: 'admin', password: PASSWORD })
  const { accessToken } = await withPassword(email)
  const users = parts.db.updateTable('users').where('id', '=', id)
  if (isProved) await users.set({ email_verified_at: parts.clock.now() }).execute()
  const logInAs = async (name: string) => (await withPassword(name)).user.id
  const holder = async () => (await listMembers(parts, other.organizationId)).items.find((one) => one.id === id)
  await parts.mails()
  return { id, email, other, accessToken, logInAs, holder }
}

test('an address that a member of another organization proved stays theirs', async () => {
  const home = await organizationWithSso(parts)
  const { id, email, logInAs } = await holderElsewhere(home, true)
  await expect(signIn(home, 'sub-1', verifiedAt(home.domain))).rejects.toMatchObject(refused('email_in_use'))
  expect(await logInAs(email)).toBe(id)
  expect((await members(home)).length).toBe(1)
  expect(await parts.mails()).toEqual([])
})

test('an address that a member of another organization proves during the sign-in stays theirs', async () => {
  const home = await organizationWithSso(parts)
  const { id, email, logInAs } = await holderElsewhere(home, false)
  const proof = overlap(parts.db, () => signIn(home, 'sub-1', verifiedAt(home.domain)))
  const email_verified_at = parts.clock.now()
  await proof.transact((tx) => tx.updateTable('users').set({ email_verified_at }).where('id', '=', id).execute())
  await expect(proof.outcome()).rejects.toMatchObject(refused('email_in_use'))
  expect(await logInAs(email)).toBe(id)
})

test('a member of another organization who never proved the address loses it to the person, and nothing else', async () => {
  const home = await organizationWithSso(parts)
  const { id, email, other, accessToken, logInAs, holder } = await holderElsewhere(home, false)
  const released = `released-${id}@weir.invalid`
  const joined = await signIn(home, 'sub-1', verifiedAt(home.domain))
  expect(joined).not.toBe(id)
  expect((await members(home))[0]).toMatchObject({ id: joined, email, emailVerified: true, role: 'viewer' })
  expect(await holder()).toMatchObject({ email: released, role: 'admin' })
  expect(await authenticateBearer(parts, accessToken)).toMatchObject({ organizationId: other.organizationId })
  expect(await logInAs(released)).toBe(id)
  await expect(logInAs(email)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  const log = await listAuditLog(parts, other.organizationId, {}, { limit: 1, offset: 0 })
  expect(log.items).toMatchObject([{ action: 'releaseAddress', objectId: id }])
  const notice = { kind: 'notice', change: { what: 'address_released', to: released } }
  expect(await parts.mails()).toMatchObject([{ to: email, content: notice }])
})

test.each([
  ['the provider does not call it verified', { defaultRole: 'viewer' }, { email_verified: false }],
  ['the organization did not prove its domain', { domains: [] }, {}],
  ['the person gets no role', { defaultRole: null }, {}],
] as const)('a member of another organization keeps an unproved address if %s', async (_why, changes, claims) => {
  const home = await organizationWithSso(parts)
  const { id, email, logInAs } = await holderElsewhere(home, false)
  await updateProvider(parts, { actor: home.owner, providerId: home.provider.id, changes })
  const attempt = signIn(home, 'sub-1', { ...verifiedAt(home.domain), ...claims })
  await expect(attempt).rejects.toMatchObject({ code: 'FORBIDDEN' })
  expect(await logInAs(email)).toBe(id)
  expect(await parts.mails()).toEqual([])
})

test('a password that somebody else set and nobody replaced ends with the first sign-in, and so do its sessions', async () => {
  const home = await organizationWithSso(parts)
  const email = `ada@${home.domain}`
  const oneTime = { ...parts, assignedPasswords: 'one-time' as const }
  const { id } = await addMember(oneTime, home.owner, { email, role: 'approver', password: PASSWORD })
  const { accessToken } = await withPassword(email)
  const links = await sentLinks(parts, { organizationId: home.owner.organizationId, id, email })
  expect(await authenticateBearer(parts, accessToken)).toMatchObject({ passwordChangeRequired: true })
  expect(await signIn(home, 'sub-1', verifiedAt(home.domain))).toBe(id)
  expect(await authenticateBearer(parts, accessToken)).toBeUndefined()
  expect(await links.working()).not.toContain('password_reset')
  await expect(withPassword(email)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
})

test('a removed member returns only after somebody has admitted them again', async () => {
  const home = await organizationWithSso(parts)
  const id = await signIn(home, 'sub-1', verifiedAt(home.domain))
  await removeMember(parts, home.owner, id)
  for (const subject of ['sub-1', 'sub-2'])
    await expect(signIn(home, subject, verifiedAt(home.domain))).rejects.toMatchObject(refused('member_removed'))
  const again = await admitMember(parts, home.owner, { email: `ada@${home.domain}`, role: 'viewer' })
  expect(await signIn(home, 'sub-1', verifiedAt(home.domain))).toBe(again.id)
  expect(again.id).not.toBe(id)
})

test('without a default role nobody becomes a member by signing in', async () => {
  const home = await organizationWithSso(parts, { defaultRole: null })
  await expect(signIn(home, 'sub-1', verifiedAt(home.domain))).rejects.toMatchObject(refused('no_role'))
  await admitMember(parts, home.owner, { email: `ada@${home.domain}`, role: 'approver' })
  await signIn(home, 'sub-1', verifiedAt(home.domain))
  expect((await members(home))[0]).toMatchObject({ role: 'approver' })
})

test('a member whose claims no longer give a role is refused', async () => {
  const roleMappings = [{ value: 'treasury', role: 'approver' as const }]
  const home = await organizationWithSso(parts, { defaultRole: null, roleClaim: 'groups', roleMappings })
  await signIn(home, 'sub-1', { ...verifiedAt(home.domain), groups: ['treasury'] })
  await expect(signIn(home, 'sub-1', { groups: ['other'] })).rejects.toMatchObject(refused('no_role'))
})

test('sign-ins of one new person at once create one member', async () => {
  const home = await organizationWithSso(parts)
  const ids = await Promise.all([0, 1, 2, 3].map(() => signIn(home, 'sub-1', verifiedAt(home.domain))))
  expect(new Set(ids).size).toBe(1)
  expect((await members(home)).length).toBe(2)
})

test('a member of the organization is unaffected by an address that only looks like theirs', async () => {
  const home = await organizationWithSso(parts)
  const { id } = await newMember(parts, home.owner, 'admin')
  const real = { email: `ada@${home.domain}` }
  await parts.db.updateTable('users').set(real).where('id', '=', id).execute()
  // A Cyrillic а, and a full-width @.
  for (const email of [`\u0430da@${home.domain}`, `ada\uff20${home.domain}`]) {
    const found = await signIn(home, `sub ${email}`, { email, email_verified: true }).catch(() => 0)
    expect(found).not.toBe(id)
  }
})

const GROUPS = {
  roleClaim: 'groups',
  roleMappings: [
    { value: 'treasury', role: 'approver' },
    { value: 'guests', role: 'viewer' },
  ],
} as const
const ONE = { requiredApprovals: 1, coolingOffSeconds: 0 }
const roleOf = async (home: Organization, id: number) => (await members(home)).find((one) => one.id === id)?.role

test('where a change of members needs approval, a claim gives a new member no role above viewer', async () => {
  const home = await organizationWithSso(parts, GROUPS)
  await newMember(parts, home.owner, 'approver')
  await updateChangePolicy(parts, home.owner, { rules: { members: ONE } })
  const claims = { ...verifiedAt(home.domain), groups: ['treasury'] }
  const { id, refusedRole } = await resolve(home, 'sub-1', claims)
  expect([refusedRole, await roleOf(home, id)]).toEqual(['role_needs_approval', 'viewer'])
  expect(await resolve(home, 'sub-1', claims)).toMatchObject({ id, refusedRole: 'role_needs_approval' })
  expect(await roleOf(home, id)).toBe('viewer')
  await updateChangePolicy(parts, home.owner, { rules: {} })
  expect(await resolve(home, 'sub-1', claims)).toEqual({ id, refusedRole: undefined })
  expect(await roleOf(home, id)).toBe('approver')
})

test('a role that was given with approval meanwhile stays, and nothing is refused', async () => {
  const home = await organizationWithSso(parts, GROUPS)
  await newMember(parts, home.owner, 'approver')
  await updateChangePolicy(parts, home.owner, { rules: { members: ONE } })
  const claims = { ...verifiedAt(home.domain), groups: ['treasury'] }
  const { id } = await resolve(home, 'sub-1', claims)
  await updateMember(parts, { actor: home.owner, memberId: id, changes: { role: 'approver' } })
  expect(await resolve(home, 'sub-1', claims)).toEqual({ id, refusedRole: undefined })
})

test('a claim cannot remove an approver whom the rules for changes need', async () => {
  const home = await organizationWithSso(parts, GROUPS)
  const joined = await resolve(home, 'sub-1', { ...verifiedAt(home.domain), groups: ['treasury'] })
  await updateChangePolicy(parts, home.owner, { rules: { keys: ONE } })
  const lowered = { ...verifiedAt(home.domain), groups: ['guests'] }
  expect(await resolve(home, 'sub-1', lowered)).toMatchObject({ id: joined.id, refusedRole: 'too_few_approvers' })
  expect(await roleOf(home, joined.id)).toBe('approver')
  await newMember(parts, home.owner, 'approver')
  expect(await resolve(home, 'sub-1', lowered)).toEqual({ id: joined.id, refusedRole: undefined })
  expect(await roleOf(home, joined.id)).toBe('viewer')
})
