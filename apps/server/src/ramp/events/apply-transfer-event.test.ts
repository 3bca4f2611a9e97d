// Also tested in: ramp/events/event-order.test.ts (events in any order, doubled or lost), ramp/bridge/bridge.test.ts (the
// fees and amounts of a real partner's messages), ramp/sandbox/provider.test.ts (each scenario with tokens on a chain).

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { emittedEvents } from '../../../testing/emitted-events.ts'
import { expectFiatBooks } from '../../../testing/expect-fiat.ts'
import type { RampClient } from '../../../testing/ramp-client.ts'
import { openRampDatabase, type RampDatabase } from '../../../testing/ramp-database.ts'
import { type TransferEventFields, transferEvent } from '../../../testing/transfer-event.ts'
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
  await expectFiatBooks(fixture.parts)
})

test('a transaction completes at the time of its event, and keeps that time when it is reversed', async () => {
  await apply({ sequence: 1, status: 'pending' })
  fixture.clock.advance(60_000)
  await apply({ sequence: 2, status: 'completed' })
  const completedAt = fixture.clock.now()
  fixture.clock.advance(60_000)
  await apply({ sequence: 3, status: 'reversed' })
  expect(await client.transactions()).toMatchObject([{ status: 'reversed', completedAt }])
  await expectFiatBooks(fixture.parts)
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
  await expectFiatBooks(fixture.parts)
})

test('an event about an unknown account, or about the other direction of a known one, creates nothing', async () => {
  expect(await apply({ sequence: 1, status: 'pending', accountReference: 'nobody’s' })).toBe('unknown')
  expect(await apply({ sequence: 1, status: 'pending', direction: 'offramp' })).toBe('unknown')
  expect(await client.transactions()).toEqual([])
  expect(await emitted()).toEqual([])
})

test('fees may change until the transaction has ended, and never after', async () => {
  await apply({ sequence: 1, status: 'pending' })
  await apply({ sequence: 2, status: 'processing', feeBasisPoints: 100 })
  expect(await client.transactions()).toMatchObject([{ usdCents: 100_00n, feeCents: 1_00n, tokenAmount: 99_000_000n }])
  await apply({ sequence: 3, status: 'completed', feeBasisPoints: 200 })
  expect(await client.transactions()).toMatchObject([{ feeCents: 2_00n, tokenAmount: 98_000_000n }])
  await apply({ sequence: 4, status: 'completed', feeBasisPoints: 300 })
  expect(await client.transactions()).toMatchObject([{ feeCents: 2_00n, tokenAmount: 98_000_000n }])
  await expectFiatBooks(fixture.parts)
})

test('the gross amount is that of the first event, whatever later events say', async () => {
  await apply({ sequence: 1, status: 'pending' })
  await apply({ sequence: 2, status: 'completed', usdCents: 999_00n })
  expect(await client.transactions()).toMatchObject([{ usdCents: 100_00n, feeCents: 25n, status: 'completed' }])
  await expectFiatBooks(fixture.parts)
})

test('new data without a new status is emitted once, and data that an event omits is kept', async () => {
  await apply({ sequence: 1, status: 'failed', more: { txHash: '0xaa', failureReason: 'payment_failed' } })
  const before = (await emitted()).length
  await apply({ sequence: 2, status: 'failed', more: { returnTxHash: '0xbb' } })
  await apply({ sequence: 3, status: 'failed' })
  expect(await client.transactions()).toMatchObject([
    { txHash: '0xaa', returnTxHash: '0xbb', failureReason: 'payment_failed' },
  ])
  expect((await emitted()).slice(before)).toEqual(['transaction.updated failed'])
})

test('amounts that do not add up are rejected, and nothing of the event is stored', async () => {
  const wrong = { usdCents: 100_00n, feeCents: 25n, netCents: 99_00n, developerFeeCents: 0n }
  const quote = { ...wrong, tokenAmount: 99_000_000n, exchangeRate: '1.00' }
  await expect(apply({ sequence: 1, status: 'pending', more: { quote } })).rejects.toThrow('add up')
  await apply({ sequence: 1, status: 'pending' })
  await expect(apply({ sequence: 2, status: 'completed', more: { quote } })).rejects.toThrow('add up')
  expect(await client.transactions()).toMatchObject([{ status: 'pending', feeCents: 25n }])
  expect(await emitted()).toEqual(['transaction.updated pending'])
})
