// Also tested in: ramp/personal/erase-expired.test.ts (with the data of the ramp, and after the retention).

import { expect, test } from 'vitest'
import { identityFixture, organization } from '../../../testing/identity-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { addMilliseconds } from '../../kernel/index.ts'
import { verifyAuditLogs } from '../audit/verify-audit-log.ts'
import { generateKey } from '../keys/generate-key.ts'
import { eraseOrganization } from './erase-organization.ts'

const parts = useFixture(identityFixture)

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

test('no e-mail address, subject at an identity provider, second factor or network address of a key is left', async () => {
  const { owner, user } = await organization(parts)
  const { organizationId } = owner
  const [at, expiresAt] = [parts.clock.now(), addMilliseconds(parts.clock.now(), 1_000)]
  await generateKey(parts, { organizationId, name: 'used' })
  await parts.db
    .updateTable('api_keys')
    .set({ last_used_address: '198.51.100.7' })
    .where('organization_id', '=', organizationId)
    .execute()
  const ofMember = { organization_id: organizationId, created_at: at }
  await parts.db
    .insertInto('member_invitations')
    .values({
      ...ofMember,
      email: 'invited@acme.example',
      role: 'viewer',
      token_hash: Buffer.from('invited'),
      invited_by: user.id,
      expires_at: expiresAt,
    })
    .execute()
  await parts.db
    .insertInto('account_tokens')
    .values({
      ...ofMember,
      token_hash: Buffer.from('reset'),
      purpose: 'password_reset',
      user_id: user.id,
      email: user.email,
      expires_at: expiresAt,
    })
    .execute()
  await parts.db
    .insertInto('sso_identities')
    .values({
      ...ofMember,
      issuer: 'https://idp.example',
      subject: 'invited@acme.example',
      user_id: user.id,
      last_used_at: at,
    })
    .execute()
  await parts.db
    .insertInto('user_totp')
    .values({ ...ofMember, user_id: user.id, sealed_secret: Buffer.alloc(40) })
    .execute()
  await parts.db.updateTable('organizations').set({ deleted_at: at }).where('id', '=', organizationId).execute()
  expect(await eraseOrganization(parts, organizationId, async () => {})).toBe(true)
  for (const table of ['member_invitations', 'account_tokens', 'sso_identities', 'user_totp'] as const)
    expect(
      await parts.db.selectFrom(table).selectAll().where('organization_id', '=', organizationId).execute(),
    ).toEqual([])
  const keys = parts.db.selectFrom('api_keys').select('last_used_address').where('organization_id', '=', organizationId)
  expect(await keys.execute()).toEqual([{ last_used_address: null }])
})

test('an organization that is not deleted, or does not exist, is not erased', async () => {
  const { owner } = await organization(parts)
  const erase = (id: number) => eraseOrganization(parts, id, async () => {})
  await expect(erase(owner.organizationId)).rejects.toMatchObject({ code: 'CONFLICT' })
  await expect(erase(2 ** 40)).rejects.toMatchObject({ code: 'ORGANIZATION_NOT_FOUND' })
})
