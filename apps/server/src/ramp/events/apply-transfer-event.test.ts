// Also tested in: ramp/events/event-order.test.ts (events in any order, doubled or lost),
// ramp/transactions/advance-ramp-transaction.test.ts (what a move writes).

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { emittedEvents } from '../../../testing/ramp/emitted-events.ts'
import { expectValidFiatLedger } from '../../../testing/ramp/expect-fiat.ts'
import type { RampClient } from '../../../testing/ramp/ramp-client.ts'
import { openRampDatabase, type RampDatabase } from '../../../testing/ramp/ramp-database.ts'
import { type TransferEventFields, transferEvent } from '../../../testing/ramp/transfer-event.ts'
import { inTransaction } from '../../database/index.ts'
import type { RampAccount } from '../index.ts'
import { applyTransferEvent } from './apply-transfer-event.ts'

let fixture: RampDatabase
let client: RampClient
let account: RampAccount
let payments = 0
beforeAll(async () => {
  fixture = await openRampDatabase()
})
afterAll(() => fixture?.close())
beforeEach(async () => {
  client = await fixture.organization()
  account = await client.onramp()
  payments += 1
})

type EventFields = Pick<TransferEventFields, 'sequence' | 'status'> & Partial<TransferEventFields>

const apply = (fields: EventFields) => {
  const payment = { direction: 'onramp', accountReference: account.providerReference } as const
  const event = transferEvent({ ...payment, subject: `payment-${payments}`, ...fields })
  return inTransaction(fixture.parts.db, (tx) => applyTransferEvent(fixture.parts, tx, event))
}
const emitted = async () =>
  (await emittedEvents(fixture.parts.db, client.organizationId, 'ramp_transaction')).map(
    ({ event, data }) => `${event} ${data.status}`,
  )

test('the first event creates the transaction of its account, posts the payment and emits each status', async () => {
  expect(await apply({ sequence: 5, status: 'processing', usdCents: 250_00n })).toBe('applied')
  expect(await client.transactions()).toMatchObject([
    {
      accountId: account.accountId,
      status: 'processing',
      usdCents: 250_00n,
      sourceAsset: 'USD',
      destinationAsset: 'USDC',
      statusHistory: [{ status: 'pending' }, { status: 'processing' }],
      completedAt: null,
    },
  ])
  expect(await emitted()).toEqual(['transaction.updated pending', 'transaction.updated processing'])
  await expectValidFiatLedger(fixture.parts)
})

test('an event older than the last one applied changes nothing', async () => {
  await apply({ sequence: 5, status: 'processing' })
  const before = await client.transactions()
  expect(await apply({ sequence: 5, status: 'failed' })).toBe('overtaken')
  expect(await apply({ sequence: 4, status: 'rejected' })).toBe('overtaken')
  expect(await client.transactions()).toEqual(before)
})

test('a status that cannot follow changes nothing', async () => {
  expect(await apply({ sequence: 1, status: 'pending' })).toBe('applied')
  expect(await apply({ sequence: 2, status: 'rejected' })).toBe('applied')
  expect(await apply({ sequence: 3, status: 'processing' })).toBe('contradicts')
  expect(await client.transactions()).toMatchObject([{ status: 'rejected' }])
  await expectValidFiatLedger(fixture.parts)
})

test('an event about an unknown account, or about the other direction of a known one, creates nothing', async () => {
  expect(await apply({ sequence: 1, status: 'pending', accountReference: 'nobody’s' })).toBe('unknown')
  expect(await apply({ sequence: 1, status: 'pending', direction: 'offramp' })).toBe('unknown')
  expect(await client.transactions()).toEqual([])
  expect(await emitted()).toEqual([])
})
