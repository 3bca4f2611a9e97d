// Also tested in: ramp/events/apply-onboarding-event.test.ts (which events move a verification),
// ramp/onboarding/start-kyb.test.ts (a verification starts and starts again).

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { emittedEvents } from '../../../testing/ramp/emitted-events.ts'
import type { RampClient } from '../../../testing/ramp/ramp-client.ts'
import { openRampDatabase, type RampDatabase } from '../../../testing/ramp/ramp-database.ts'
import { inTransaction, type KybStatus } from '../../database/index.ts'
import { startKyb } from '../onboarding/start-kyb.ts'
import { advanceVerification } from './advance-verification.ts'
import { type Customer, findRecipient } from './customer.ts'
import { kybPath } from './kyb-states.ts'

let fixture: RampDatabase
let client: RampClient
let recipient: Customer
beforeAll(async () => {
  fixture = await openRampDatabase()
})
afterAll(() => fixture?.close())
beforeEach(async () => {
  client = await fixture.organization({ verified: false })
  recipient = await client.recipient({ name: 'Grace Hopper', approved: false })
})

const rowOf = (reference: string) =>
  fixture.parts.db
    .selectFrom('ramp_customers')
    .selectAll()
    .where('kyb_reference', '=', reference)
    .executeTakeFirstOrThrow()
/** Moves a verification along the path to a status. */
const move = async (sequence: number, status: KybStatus, reference = recipient.kybReference!) => {
  const row = await rowOf(reference)
  const path = kybPath(row.kyb_status!, status)!
  await inTransaction(fixture.parts.db, (tx) =>
    advanceVerification(tx, fixture.parts.fields, row, { path, sequence, at: fixture.clock.now() }),
  )
}
const emitted = async () => await emittedEvents(fixture.parts.db, client.organizationId, 'customer')

test('a decision is stored and emitted with the customer, and a submission is stored without an event', async () => {
  await move(1, 'submitted')
  expect(await rowOf(recipient.kybReference!)).toMatchObject({ kyb_status: 'submitted', kyb_sequence: 1 })
  expect(await emitted()).toEqual([])
  await move(5, 'approved')
  expect(await rowOf(recipient.kybReference!)).toMatchObject({ kyb_status: 'approved', kyb_sequence: 5 })
  const data = { customer_id: recipient.customerId, name: 'Grace Hopper' }
  expect(await emitted()).toEqual([{ event: 'customer.approved', data }])
})

test('a report that confirms the status stores its number and emits nothing', async () => {
  await move(1, 'declined')
  const before = await emitted()
  await move(2, 'declined')
  expect(await rowOf(recipient.kybReference!)).toMatchObject({ kyb_status: 'declined', kyb_sequence: 2 })
  expect(await emitted()).toEqual(before)
})

test('the event about the organization itself names no recipient', async () => {
  const { kybReference } = await startKyb(fixture.parts, { organizationId: client.organizationId })
  await move(1, 'declined', kybReference!)
  expect(await emitted()).toEqual([
    { event: 'customer.declined', data: { customer_id: null, name: 'Basalt Payments' } },
  ])
})

test('a move changes its own customer only', async () => {
  const other = await client.recipient({ name: 'Ada Lovelace', approved: false })
  await move(1, 'approved')
  expect(await findRecipient(fixture.parts, client.organizationId, other.customerId)).toEqual(other)
})
