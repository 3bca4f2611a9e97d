// Also tested in: ramp/personal/erase-expired.test.ts (with the data of the ramp, and after the retention).

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type IdentityFixture, identityFixture, organization } from '../../../testing/identity-fixture.ts'
import { verifyAuditLogs } from '../audit/verify-audit-log.ts'
import { eraseOrganization } from './erase-organization.ts'

let parts: IdentityFixture
beforeAll(async () => {
  parts = await identityFixture()
})
afterAll(() => parts?.close())

test('nothing is erased if another room refuses, and the audit log stays whole', async () => {
  const { owner, user } = await organization(parts)
  const { organizationId } = owner
  await parts.db
    .updateTable('organizations')
    .set({ deleted_at: parts.clock.now() })
    .where('id', '=', organizationId)
    .execute()
  const refused = eraseOrganization(parts, organizationId, async () => {
    throw new Error('refused')
  })
  await expect(refused).rejects.toThrow('refused')
  const email = async () =>
    (await parts.db.selectFrom('users').select('email').where('id', '=', user.id).executeTakeFirstOrThrow()).email
  expect(await email()).toBe(user.email)
  expect(await eraseOrganization(parts, organizationId, async () => {})).toBe(true)
  expect(await email()).toBe(`erased-${user.id}`)
  for await (const { broken } of verifyAuditLogs(parts.db, [])) expect(broken).toBeUndefined()
})

test('an organization that is not deleted, or does not exist, is not erased', async () => {
  const { owner } = await organization(parts)
  const erase = (id: number) => eraseOrganization(parts, id, async () => {})
  await expect(erase(owner.organizationId)).rejects.toMatchObject({ code: 'CONFLICT' })
  await expect(erase(2 ** 40)).rejects.toMatchObject({ code: 'ORGANIZATION_NOT_FOUND' })
})
