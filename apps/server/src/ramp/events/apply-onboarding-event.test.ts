// Also tested in: ramp/customers/advance-verification.test.ts (what a move writes), ramp/bridge/bridge.test.ts (a real
// partner's reviews and decisions).

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { emittedEvents } from '../../../testing/ramp/emitted-events.ts'
import type { RampClient } from '../../../testing/ramp/ramp-client.ts'
import { openRampDatabase, type RampDatabase } from '../../../testing/ramp/ramp-database.ts'
import { inTransaction, type KybStatus } from '../../database/index.ts'
import { type Customer, findRecipient } from '../customers/customer.ts'
import { applyOnboardingEvent } from './apply-onboarding-event.ts'

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

const apply = (sequence: number, status: KybStatus, subject = recipient.kybReference) => {
  const event = { kind: 'onboarding', id: `${subject}:${sequence}`, subject, sequence, status } as const
  return inTransaction(fixture.parts.db, (tx) => applyOnboardingEvent(fixture.parts, tx, event))
}
const status = async () => (await findRecipient(fixture.parts, client.organizationId, recipient.customerId)).kybStatus
const emitted = async () => await emittedEvents(fixture.parts.db, client.organizationId, 'customer')

test('an event older than the last one applied changes nothing', async () => {
  await apply(5, 'submitted')
  expect(await apply(5, 'approved')).toBe('overtaken')
  expect(await apply(4, 'declined')).toBe('overtaken')
  expect(await status()).toBe('submitted')
})

test('nothing follows an approval', async () => {
  await apply(1, 'approved')
  expect(await apply(2, 'declined')).toBe('contradicts')
  expect(await apply(3, 'pending')).toBe('contradicts')
  expect(await status()).toBe('approved')
})

test('a declined customer that the provider checks again is approved, and both decisions are emitted', async () => {
  await apply(1, 'declined')
  expect(await apply(2, 'approved')).toBe('applied')
  expect(await status()).toBe('approved')
  expect((await emitted()).map(({ event }) => event)).toEqual(['customer.declined', 'customer.approved'])
})

test('an event with another reference changes no customer', async () => {
  const other = await client.recipient({ name: 'Ada Lovelace', approved: false })
  expect(await apply(1, 'approved', 'an-earlier-attempt')).toBe('unknown')
  await apply(1, 'approved', other.kybReference)
  expect(await status()).toBe('pending')
})
