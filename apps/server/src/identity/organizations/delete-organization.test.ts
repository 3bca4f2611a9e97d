// Also tested in: surfaces/core/identity/organization/organization.test.ts (who may delete, and what a deleted organization's credentials
// return), ramp/deposits/handle-waiting-deposits.test.ts (its deposits are returned).

import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { identityFixture, organization, PASSWORD } from '../../../testing/identity/identity-fixture.ts'
import { newMember } from '../../../testing/identity/new-member.ts'
import { failingTransact } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { authenticateKey } from '../keys/authenticate-key.ts'
import { generateKey } from '../keys/generate-key.ts'
import { authenticateBearer } from '../sessions/authenticate-bearer.ts'
import { logIn } from '../sessions/log-in.ts'
import { refreshSession } from '../sessions/refresh-session.ts'
import { deleteOrganization } from './delete-organization.ts'
import { register } from './register.ts'

const parts = useFixture(identityFixture)

let home: Awaited<ReturnType<typeof organization>>
beforeEach(async () => {
  home = await organization(parts)
})

const allow = async () => {}
const remove = (assertDeletable = allow, name = home.organization.name) =>
  deleteOrganization(parts, { actor: home.owner, name, assertDeletable })
const isOpen = async () => (await authenticateBearer(parts, home.accessToken)) !== undefined

test('the members and keys of a deleted organization stop working, and those of others keep working', async () => {
  const { accessToken } = await newMember(parts, home.owner, 'viewer')
  const { apiKey } = await generateKey(parts, { organizationId: home.owner.organizationId, name: 'Server' })
  const other = await organization(parts)
  await remove()
  expect(await isOpen()).toBe(false)
  expect(await authenticateBearer(parts, accessToken)).toBeUndefined()
  await expect(refreshSession(parts, { refreshToken: home.refreshToken })).rejects.toMatchObject({
    code: 'UNAUTHORIZED',
  })
  expect(await authenticateKey(parts, apiKey)).toEqual({ status: 'organization-deleted', key: expect.anything() })
  expect(await authenticateBearer(parts, other.accessToken)).toBeDefined()
})

test('its rows stay for auditors, and its email addresses are free again', async () => {
  const { email, id } = home.user
  await remove()
  const row = await parts.db.selectFrom('users').select('email').where('id', '=', id).executeTakeFirst()
  expect(row).toEqual({ email })
  const again = await register(parts, { email, password: PASSWORD, organizationName: 'Another' })
  expect(again.organization.id).not.toBe(home.organization.id)
  expect(await logIn(parts, { email, password: PASSWORD, address: '192.0.2.1' })).toMatchObject({ user: again.user })
})

test('only the exact name deletes an organization', async () => {
  const { name } = home.organization
  for (const wrong of ['', name.toLowerCase(), `${name} `])
    await expect(remove(allow, wrong)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  expect(await isOpen()).toBe(true)
})

test('a refused deletion changes nothing', async () => {
  const refused = remove(async () => {
    throw new Error('money is in transit')
  })
  await expect(refused).rejects.toThrow('in transit')
  const transact = failingTransact<void>(parts.db, 'the audit entry failed')
  const { owner } = home
  await expect(
    deleteOrganization(parts, { actor: owner, name: home.organization.name, assertDeletable: allow }, transact),
  ).rejects.toThrow('failed')
  expect(await isOpen()).toBe(true)
})

test('the final check runs after registrations and plans are blocked', async () => {
  const { organizationId } = home.owner
  await parts.db
    .insertInto('wallets')
    .columns(['organization_id', 'wallet_profile_id', 'blockchain', 'address', 'created_at'])
    .expression((from) =>
      from
        .selectFrom('wallet_profiles')
        .select([
          'organization_id',
          'id',
          sql<'base'>`'base'`.as('blockchain'),
          sql<string>`'0x00000000000000000000000000000000000000AA'`.as('address'),
          'created_at',
        ])
        .where('organization_id', '=', organizationId),
    )
    .execute()
  /** Whether another transaction can lock the organization's row in this way at once. */
  const canLock = async (table: 'wallet_profiles' | 'wallets', lock: 'key share' | 'no key update') =>
    await sql`
      select 1 from ${sql.table(table)} where organization_id = ${organizationId} for ${sql.raw(lock)} nowait
    `
      .execute(parts.db)
      .then(
        () => true,
        () => false,
      )
  const locks = async () => [await canLock('wallet_profiles', 'key share'), await canLock('wallets', 'no key update')]
  expect(await locks()).toEqual([true, true])
  let during: boolean[] = []
  await remove(async () => {
    during = await locks()
  })
  expect(during).toEqual([false, false])
})

test('one of two concurrent deletions succeeds, and the other finds nothing to delete', async () => {
  const outcomes = await Promise.allSettled([remove(), remove()])
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  expect(refused).toMatchObject([{ code: 'ORGANIZATION_NOT_FOUND' }])
  await expect(remove()).rejects.toMatchObject({ code: 'ORGANIZATION_NOT_FOUND' })
})
