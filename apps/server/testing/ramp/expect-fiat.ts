import { expect } from 'vitest'
import type { Database } from '../../src/database/index.ts'

/**
 * Asserts the fiat side of the ledger: every entry sums to zero, a finished payment has nothing in transit, a pending
 * one its full amount, and fees, amounts and tokens of each record agree to the cent and to the base unit.
 */
export async function expectValidFiatLedger({ db }: { readonly db: Database }): Promise<void> {
  const entries = await db
    .selectFrom('fiat_postings')
    .select(['organization_id', 'entry_id', ({ fn }) => fn.sum<bigint>('cents').as('sum')])
    .groupBy(['organization_id', 'entry_id'])
    .execute()
  expect(entries.filter(({ sum }) => sum !== 0n)).toEqual([])

  const transactions = await db.selectFrom('ramp_transactions').selectAll().execute()
  for (const row of transactions) {
    const postings = await db
      .selectFrom('fiat_entries')
      .innerJoin('fiat_postings', (join) =>
        join
          .onRef('fiat_postings.organization_id', '=', 'fiat_entries.organization_id')
          .onRef('fiat_postings.entry_id', '=', 'fiat_entries.id'),
      )
      .select(['account', ({ fn }) => fn.sum<bigint>('cents').as('sum')])
      .where('fiat_entries.organization_id', '=', row.organization_id)
      .where('fiat_entries.transaction_id', '=', row.id)
      .groupBy('account')
      .execute()
    const held = Object.fromEntries(postings.map(({ account, sum }) => [account, sum]))
    const { usd_cents: usd, fee_cents: fee, status } = row
    const isOpen = !['completed', 'failed', 'rejected', 'reversed'].includes(status)
    const about = `transaction ${row.id}, ${row.direction}, ${status}`
    expect(held.in_transit ?? 0n, about).toBe(isOpen ? usd : 0n)
    expect(held.fees ?? 0n, about).toBe(status === 'completed' ? fee : 0n)
    if (status === 'completed')
      expect(held[row.direction === 'onramp' ? 'customer' : 'bank'] ?? 0n, about).toBe(usd - fee)
    if (status === 'failed' || status === 'rejected') expect(held.bank ?? 0n, about).toBe(0n)
    const owed = row.return_tx_hash === null ? usd : 0n
    if (status === 'reversed') expect(held.claims ?? 0n, about).toBe(row.direction === 'onramp' ? fee - usd : owed)
    if (status === 'reversed' && row.direction === 'offramp') expect(held.customer ?? 0n, about).toBe(-owed)

    const cent = 10n ** BigInt(row.token_decimals - 2)
    const worth = row.direction === 'onramp' ? usd - fee : usd
    expect(row.token_amount, about).toBe(worth * cent + row.dust)
    expect(row.dust < cent, about).toBe(true)
  }
}
