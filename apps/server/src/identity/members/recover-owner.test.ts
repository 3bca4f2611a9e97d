import { expect, test } from 'vitest'
import { enrollTotp } from '../../../testing/identity/enroll-factors.ts'
import { credentialOf, identityFixture, organization } from '../../../testing/identity/identity-fixture.ts'
import { logIn } from '../../../testing/identity/log-in.ts'
import { newMember } from '../../../testing/identity/new-member.ts'
import { sentLinks } from '../../../testing/identity/sent-links.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { inTransaction } from '../../database/index.ts'
import { listAuditLog } from '../audit/list-audit-log.ts'
import { listFactors } from '../factors/list-factors.ts'
import { authenticateBearer } from '../sessions/authenticate-bearer.ts'
import { recoverOwner } from './recover-owner.ts'
import { requireApprover } from './require-approver.ts'

const parts = useFixture(identityFixture)

const login = (email: string, password: string) => logIn(parts, { email, password, address: '192.0.2.1' })

test('the owner gets a password for one hour that only sets another, and all their sessions end', async () => {
  const { owner, user, accessToken } = await organization(parts)
  const recovered = await recoverOwner(parts, ` ${user.email.toUpperCase()} `)
  expect(recovered).toMatchObject({ userId: user.id, endedSessions: 1 })
  expect(await authenticateBearer(parts, accessToken)).toBeUndefined()
  const session = await login(user.email, recovered.password)
  expect(await credentialOf(parts, session.accessToken)).toMatchObject({ passwordChangeRequired: true })
  const approves = inTransaction(parts.db, (tx) => requireApprover(tx, parts.clock.now(), owner))
  await expect(approves).rejects.toMatchObject({ code: 'FORBIDDEN' })
  parts.clock.advance(3_600_000)
  await expect(login(user.email, recovered.password)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
})

test('a link that resets the replaced password is refused', async () => {
  const { owner, user } = await organization(parts)
  const links = await sentLinks(parts, { organizationId: owner.organizationId, ...user })
  await recoverOwner(parts, user.email)
  expect(await links.working()).toEqual(['email_verification'])
})

test('the audit log records the recovery as an act of the service', async () => {
  const { owner, user } = await organization(parts)
  await recoverOwner(parts, user.email)
  const { items } = await listAuditLog(parts, owner.organizationId, {}, { limit: 10, offset: 0 })
  expect(items).toMatchObject([
    {
      actor: { type: 'system', id: null },
      action: 'recoverOwner',
      objectType: 'member',
      objectId: user.id,
      from: null,
    },
  ])
})

test('a member who is no owner, and an unknown address, are refused without a change', async () => {
  const { owner } = await organization(parts)
  const admin = await newMember(parts, owner, 'admin')
  for (const email of [admin.email, 'nobody@acme.example'])
    await expect(recoverOwner(parts, email)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await authenticateBearer(parts, admin.accessToken)).toBeDefined()
})

test('a recovery on the host removes the second factors, which may be lost with the password', async () => {
  const { owner, user } = await organization(parts)
  await enrollTotp(parts, owner)
  const { password } = await recoverOwner(parts, user.email)
  expect(await login(user.email, password)).toMatchObject({ passwordChangeRequired: true })
  expect(await listFactors(parts, owner)).toEqual({ totpSince: null, passkeys: [], recoveryCodesLeft: 0 })
})
