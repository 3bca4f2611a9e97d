// Also tested in: ramp/events/event-order.test.ts (events in any order, doubled or lost), ramp/bridge/bridge.test.ts (the
// fees and amounts of a real partner's messages), ramp/sandbox/provider.test.ts (each scenario with tokens on a chain).

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { emittedEvents } from '../../../testing/ramp/emitted-events.ts'
import { expectValidFiatLedger } from '../../../testing/ramp/expect-fiat.ts'
import type { RampClient } from '../../../testing/ramp/ramp-client.ts'
import { openRampDatabase, type RampDatabase } from '../../../testing/ramp/ramp-database.ts'
import { type TransferEventFields, transferEvent } from '../../../testing/ramp/transfer-event.ts'
import { inTransaction } from '../../database/index.ts'
import { advanceRampTransaction, insertRampTransaction, lockRampTransaction } from './advance-ramp-transaction.ts'
import { transitionPath } from './ramp-transaction-states.ts'

let fixture: RampDatabase
let client: RampClient
let accountReference: string
let payments = 0
beforeAll(async () => {
  fixture = await openRampDatabase()
})
afterAll(() => fixture?.close())
beforeEach(async () => {
  client = await fixture.organization()
  accountReference = (await client.onramp()).providerReference
  payments += 1
})

type MoveFields = Pick<TransferEventFields, 'sequence' | 'status'> & Partial<TransferEventFields>

/** Moves this test's payment, which the first move inserts, along the path to a status. */
const move = (fields: MoveFields) => {
  const payment = { direction: 'onramp', accountReference, subject: `payment-${payments}` } as const
  const { subject, sequence, status, transfer } = transferEvent({ ...payment, ...fields })
  const at = fixture.clock.now()
  return inTransaction(fixture.parts.db, async (tx) => {
    const found = await lockRampTransaction(tx, fixture.parts.fields, subject)
    const row = found ?? (await insertRampTransaction(tx, fixture.parts.fields, { reference: subject, transfer, at }))
    const path = transitionPath('onramp', found?.status ?? 'new', status)!
    await advanceRampTransaction(tx, fixture.parts.fields, row!, { path, transfer, sequence, at })
  })
}
const emitted = async () =>
  (await emittedEvents(fixture.parts.db, client.organizationId, 'ramp_transaction')).map(
    ({ event, data }) => `${event} ${data.status}`,
  )

test('each step of the path is stored in the history, posted and emitted once, in order', async () => {
  const way = ['pending', 'processing', 'in_progress', 'broadcasted', 'completed']
  await move({ sequence: 1, status: 'completed' })
  const [transaction] = await client.transactions()
  expect(transaction!.statusHistory.map(({ status }) => status)).toEqual(way)
  expect(await emitted()).toEqual([
    ...way.map((status) => `transaction.updated ${status}`),
    'transaction.completed completed',
  ])
  await expectValidFiatLedger(fixture.parts)
})

test('a move changes its own transaction only', async () => {
  await move({ sequence: 1, status: 'pending', subject: 'another payment' })
  const before = await client.transactions()
  await move({ sequence: 1, status: 'rejected' })
  expect((await client.transactions()).filter(({ status }) => status !== 'rejected')).toEqual(before)
})

test('a transaction completes at the time of its event, and keeps that time when it is reversed', async () => {
  await move({ sequence: 1, status: 'pending' })
  fixture.clock.advance(60_000)
  await move({ sequence: 2, status: 'completed' })
  const completedAt = fixture.clock.now()
  fixture.clock.advance(60_000)
  await move({ sequence: 3, status: 'reversed' })
  expect(await client.transactions()).toMatchObject([{ status: 'reversed', completedAt }])
  await expectValidFiatLedger(fixture.parts)
})

test('the token amount of a payment includes its dust from the first row on, before any move', async () => {
  const { providerReference } = await client.offramp()
  const { subject, sequence, status, transfer } = transferEvent({
    direction: 'offramp',
    accountReference: providerReference,
    subject: `payment-${payments}`,
    sequence: 1,
    status: 'pending',
    more: { dust: 5_678n },
  })
  const at = fixture.clock.now()
  const path = transitionPath('offramp', 'new', status)!
  const { db, fields } = fixture.parts
  const row = await inTransaction(db, async (tx) => {
    const inserted = await insertRampTransaction(tx, fields, { reference: subject, transfer, at })
    await advanceRampTransaction(tx, fields, inserted!, { path, transfer, sequence, at })
    return inserted
  })
  expect(row).toMatchObject({ token_amount: transfer.quote.tokenAmount + 5_678n, dust: 5_678n })
})

test('fees may change until the transaction has ended, and never after', async () => {
  await move({ sequence: 1, status: 'pending' })
  await move({ sequence: 2, status: 'processing', feeBasisPoints: 100 })
  expect(await client.transactions()).toMatchObject([{ usdCents: 100_00n, feeCents: 1_00n, tokenAmount: 99_000_000n }])
  await move({ sequence: 3, status: 'completed', feeBasisPoints: 200 })
  expect(await client.transactions()).toMatchObject([{ feeCents: 2_00n, tokenAmount: 98_000_000n }])
  await move({ sequence: 4, status: 'completed', feeBasisPoints: 300 })
  expect(await client.transactions()).toMatchObject([{ feeCents: 2_00n, tokenAmount: 98_000_000n }])
  await expectValidFiatLedger(fixture.parts)
})

test('the gross amount is that of the first event, whatever later events say', async () => {
  await move({ sequence: 1, status: 'pending' })
  await move({ sequence: 2, status: 'completed', usdCents: 999_00n })
  expect(await client.transactions()).toMatchObject([{ usdCents: 100_00n, feeCents: 25n, status: 'completed' }])
  await expectValidFiatLedger(fixture.parts)
})

test('new data without a new status is emitted once, and data that an event omits is kept', async () => {
  await move({ sequence: 1, status: 'failed', more: { txHash: '0xaa', failureReason: 'payment_failed' } })
  const before = (await emitted()).length
  await move({ sequence: 2, status: 'failed', more: { returnTxHash: '0xbb' } })
  await move({ sequence: 3, status: 'failed' })
  expect(await client.transactions()).toMatchObject([
    { txHash: '0xaa', returnTxHash: '0xbb', failureReason: 'payment_failed' },
  ])
  expect((await emitted()).slice(before)).toEqual(['transaction.updated failed'])
})

test('amounts that do not add up are rejected, and no part of the event is stored', async () => {
  const wrong = { usdCents: 100_00n, feeCents: 25n, netCents: 99_00n, developerFeeCents: 0n }
  const quote = { ...wrong, tokenAmount: 99_000_000n, exchangeRate: '1.00' }
  await expect(move({ sequence: 1, status: 'pending', more: { quote } })).rejects.toThrow('add up')
  await move({ sequence: 1, status: 'pending' })
  await expect(move({ sequence: 2, status: 'completed', more: { quote } })).rejects.toThrow('add up')
  expect(await client.transactions()).toMatchObject([{ status: 'pending', feeCents: 25n }])
  expect(await emitted()).toEqual(['transaction.updated pending'])
})
