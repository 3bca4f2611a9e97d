// Also tested in: ramp/events/event-order.test.ts (books that add up after events in any order).

import { expect, test } from 'vitest'
import { openRampDatabase } from '../../../testing/ramp/ramp-database.ts'
import { transferEvent } from '../../../testing/ramp/transfer-event.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { inTransaction, type RampDirection } from '../../database/index.ts'
import { applyTransferEvent } from '../events/apply-transfer-event.ts'
import { postFiat } from './post-fiat.ts'
import type { FiatEntryKind } from './ramp-transaction-states.ts'
import type { RampTransaction } from './transaction.ts'

const fixture = useFixture(openRampDatabase)

/** A new payment of 100.00 USD with a fee of 0.25, whose receipt is posted. */
async function payment(direction: RampDirection): Promise<RampTransaction> {
  const client = await fixture.organization()
  const { providerReference: accountReference } = await (direction === 'onramp' ? client.onramp() : client.offramp())
  const subject = `payment-${client.organizationId}`
  const event = transferEvent({ direction, accountReference, subject, sequence: 1, status: 'pending' })
  await inTransaction(fixture.parts.db, (tx) => applyTransferEvent(fixture.parts, tx, event))
  return (await client.transactions())[0]!
}

const post = (transaction: RampTransaction, kind: FiatEntryKind) =>
  inTransaction(fixture.parts.db, (tx) => postFiat(tx, transaction, kind, fixture.clock.now()))

/** The postings of a kind, as `account cents`. */
const postings = async ({ transactionId }: RampTransaction, kind: FiatEntryKind) =>
  (
    await fixture.parts.db
      .selectFrom('fiat_entries')
      .innerJoin('fiat_postings', 'fiat_postings.entry_id', 'fiat_entries.id')
      .select(['account', 'cents'])
      .where('transaction_id', '=', transactionId)
      .where('kind', '=', kind)
      .orderBy('cents')
      .orderBy('account')
      .execute()
  ).map(({ account, cents }) => `${account} ${cents}`)

test.each([
  ['onramp', 'settled', ['in_transit -10000', 'fees 25', 'customer 9975']],
  ['onramp', 'returned', ['in_transit -10000', 'bank 10000']],
  ['offramp', 'settled', ['in_transit -10000', 'fees 25', 'bank 9975']],
  ['offramp', 'returned', ['in_transit -10000', 'customer 10000']],
] as const)('an %s payment that is %s posts its gross amount, its fee and the rest', async (direction, kind, lines) => {
  const transaction = await payment(direction)
  await post(transaction, kind)
  expect(await postings(transaction, kind)).toEqual(lines)
})

test.each([['offramp', ['bank -9975', 'fees -25', 'claims 10000']]] as const)(
  'a reversed %s payment gives up the fee and leaves a claim',
  async (direction, lines) => {
    const transaction = await payment(direction)
    await post(transaction, 'settled')
    await post(transaction, 'reversed')
    expect(await postings(transaction, 'reversed')).toEqual(lines)
  },
)

test('the tokens of a reversed payout settle its claim when they go back', async () => {
  const transaction = await payment('offramp')
  await post(transaction, 'refunded')
  expect(await postings(transaction, 'refunded')).toEqual(['claims -10000', 'customer 10000'])
})

test('each kind is posted once per transaction: a second posting fails and leaves nothing', async () => {
  const transaction = await payment('onramp')
  await post(transaction, 'settled')
  const before = await postings(transaction, 'settled')
  await expect(post(transaction, 'settled')).rejects.toThrow('unique')
  expect(await postings(transaction, 'settled')).toEqual(before)
})

test('a payment without a fee posts no line of zero cents', async () => {
  const transaction = await payment('onramp')
  await post({ ...transaction, feeCents: 0n }, 'settled')
  expect(await postings(transaction, 'settled')).toEqual(['in_transit -10000', 'customer 10000'])
})
