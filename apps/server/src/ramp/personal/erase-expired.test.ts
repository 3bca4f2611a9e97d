import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RampClient } from '../../../testing/ramp-client.ts'
import { openRampDatabase, type RampDatabase } from '../../../testing/ramp-database.ts'
import { findOrganizationCustomer, findRecipient } from '../customers/customer.ts'
import { archiveRecipient } from '../customers/update-recipient.ts'
import { eraseExpired, eraseOrganizationData } from './erase-expired.ts'

const DAY = 86_400_000
let fixture: RampDatabase
let client: RampClient
beforeAll(async () => {
  fixture = await openRampDatabase()
  client = await fixture.organization()
})
afterAll(() => fixture?.close())

const remove = (organizationId: number) =>
  fixture.parts.db
    .updateTable('organizations')
    .set({ deleted_at: fixture.clock.now() })
    .where('id', '=', organizationId)
    .execute()

test('an archived recipient is erased when its retention is over, not before, and an active one never', async () => {
  const { organizationId } = client
  const [gone, active] = [await client.recipient({ name: 'Gone' }), await client.recipient({ name: 'Active' })]
  await archiveRecipient(fixture.parts, { organizationId, customerId: gone.customerId })
  fixture.clock.advance(30 * DAY - 1)
  expect(await eraseExpired(fixture.parts, 30 * DAY)).toBe(0)
  fixture.clock.advance(1)
  expect(await eraseExpired(fixture.parts, 30 * DAY)).toBe(1)
  expect(await eraseExpired(fixture.parts, 30 * DAY)).toBe(0)
  expect((await findRecipient(fixture.parts, organizationId, gone.customerId)).name).toBe('[erased]')
  expect((await findRecipient(fixture.parts, organizationId, active.customerId)).name).toBe('Active')
})

test('a deleted organization loses all personal data, and keeps its rows', async () => {
  const deleted = await fixture.organization({ name: 'Vanished Ltd' })
  const { organizationId } = deleted
  const { customerId } = await deleted.recipient({ name: 'Rita Recipient' })
  await expect(eraseOrganizationData(fixture.parts, organizationId)).rejects.toMatchObject({ code: 'CONFLICT' })
  await remove(organizationId)
  expect(await eraseOrganizationData(fixture.parts, organizationId)).toBe(true)
  expect(await eraseOrganizationData(fixture.parts, organizationId)).toBe(false)
  expect((await findRecipient(fixture.parts, organizationId, customerId)).name).toBe('[erased]')
  expect((await findOrganizationCustomer(fixture.parts, organizationId))?.name).toBe('[erased]')
  const members = await fixture.parts.db
    .selectFrom('users')
    .select(['id', 'email', 'name', 'password_hash'])
    .where('organization_id', '=', organizationId)
    .execute()
  expect(members).toEqual(members.map(({ id }) => ({ id, email: `erased-${id}`, name: null, password_hash: '' })))
})

test('a deleted organization is erased after its retention', async () => {
  const { organizationId } = await fixture.organization()
  await remove(organizationId)
  fixture.clock.advance(10 * DAY)
  expect(await eraseExpired(fixture.parts, 10 * DAY)).toBe(1)
  const row = fixture.parts.db.selectFrom('organizations').select('name').where('id', '=', organizationId)
  expect((await row.executeTakeFirstOrThrow()).name).toBe('[erased]')
})
