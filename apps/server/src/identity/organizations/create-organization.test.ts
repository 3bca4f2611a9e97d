// Also tested in: identity/organizations/register.test.ts (one email registered by several requests at once).

import { expect, test } from 'vitest'
import { identityFixture } from '../../../testing/identity/identity-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { inTransaction } from '../../database/index.ts'
import { appendAuditEntry } from '../audit/append-audit-entry.ts'
import { listMembers } from '../members/list-members.ts'
import { listProfiles } from '../profiles/list-profiles.ts'
import { createOrganization } from './create-organization.ts'

const parts = useFixture(identityFixture)

const create = (email: string, name = 'Acme') => {
  const owner = { email, name: null, passwordHash: 'nobody logs in' }
  return inTransaction(parts.db, (tx) => createOrganization(tx, parts, { name, owner }))
}
const organizations = async () => (await parts.db.selectFrom('organizations').select('id').execute()).length

test('an organization starts with its owner, a default profile and an empty audit log', async () => {
  const { user, organization, defaultProfileId } = await create('ada@acme.example')
  expect((await listMembers(parts, organization.id)).items).toMatchObject([{ ...user, role: 'owner' }])
  expect((await listProfiles(parts, organization.id)).items).toMatchObject([
    { id: defaultProfileId, name: 'default', isDefault: true },
  ])
  const entry = {
    organizationId: organization.id,
    actor: { type: 'user', id: user.id },
    action: 'register',
    objectType: 'organization',
    objectId: organization.id,
    from: null,
    at: parts.clock.now(),
  } as const
  await inTransaction(parts.db, (tx) => appendAuditEntry(tx, entry))
})

test('two organizations may have the same name', async () => {
  const [one, two] = [await create('one@acme.example', 'Same'), await create('two@acme.example', 'Same')]
  expect(one.organization.id).not.toBe(two.organization.id)
})

test('an email in use creates no organization', async () => {
  await create('taken@acme.example')
  const before = await organizations()
  await expect(create('taken@acme.example')).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(await organizations()).toBe(before)
})

test('an organization keeps exactly one default profile', async () => {
  const { organization } = await create('default@acme.example')
  const second = parts.db
    .insertInto('wallet_profiles')
    .values({
      organization_id: organization.id,
      name: 'another',
      is_default: true,
      enabled_chains: ['base'],
      operation_timeout_seconds: 60,
      created_at: parts.clock.now(),
    })
    .execute()
  await expect(second).rejects.toThrow('unique')
})
