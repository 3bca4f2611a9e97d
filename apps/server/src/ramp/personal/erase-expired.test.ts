import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RampClient } from '../../../testing/ramp/ramp-client.ts'
import { openRampDatabase, type RampDatabase } from '../../../testing/ramp/ramp-database.ts'
import { findRecipient } from '../customers/customer.ts'
import { archiveRecipient } from '../customers/update-recipient.ts'
import { eraseExpiredRecipients } from './erase-expired.ts'

const DAY = 86_400_000
let fixture: RampDatabase
let client: RampClient
beforeAll(async () => {
  fixture = await openRampDatabase()
  client = await fixture.organization()
})
afterAll(() => fixture?.close())

test('an archived recipient is erased when its retention is over, not before, and an active one never', async () => {
  const { organizationId } = client
  const [gone, active] = [await client.recipient({ name: 'Gone' }), await client.recipient({ name: 'Active' })]
  await archiveRecipient(fixture.parts, { organizationId, customerId: gone.customerId })
  fixture.clock.advance(30 * DAY - 1)
  expect(await eraseExpiredRecipients(fixture.parts, 30 * DAY)).toBe(0)
  fixture.clock.advance(1)
  expect(await eraseExpiredRecipients(fixture.parts, 30 * DAY)).toBe(1)
  expect(await eraseExpiredRecipients(fixture.parts, 30 * DAY)).toBe(0)
  expect((await findRecipient(fixture.parts, organizationId, gone.customerId)).name).toBe('[erased]')
  expect((await findRecipient(fixture.parts, organizationId, active.customerId)).name).toBe('Active')
})
