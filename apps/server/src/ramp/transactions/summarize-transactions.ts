import { sql } from 'kysely'
import type { RampStatus } from '../../database/index.ts'
import type { RampParts } from '../parts.ts'
import { matchingTransactions, type RampTransactionFilter } from './list-transactions.ts'

export interface RampSummary {
  readonly volumeCents: bigint
  readonly feesCents: bigint
  /** Tokens, in units of 10^-6. */
  readonly delivered: bigint
  readonly activeRecipients: number
  readonly transactions: number
  readonly byStatus: Readonly<Partial<Record<RampStatus, number>>>
  readonly byDay: readonly { readonly date: string; readonly volumeCents: bigint; readonly transactions: number }[]
}

/** Decimals in which tokens with different decimals are added up. */
export const SUMMARY_DECIMALS = 6

/**
 * Totals over matching transactions: volume, fees and delivered tokens of completed ones, counts of all. Days are UTC.
 * Three statements.
 */
export async function summarizeTransactions(
  { db }: Pick<RampParts, 'db'>,
  organizationId: number,
  filter: RampTransactionFilter,
): Promise<RampSummary> {
  const all = matchingTransactions(db, organizationId, filter)
  const completed = sql`filter (where ramp_transactions.status = 'completed')`
  const day = sql<string>`to_char(ramp_transactions.created_at at time zone 'UTC', 'YYYY-MM-DD')`
  const days = await all
    .select([
      day.as('date'),
      sql<bigint>`coalesce(sum(usd_cents) ${completed}, 0)`.as('volume'),
      sql<number>`count(*)`.as('transactions'),
    ])
    .groupBy(day)
    .orderBy('date')
    .execute()
  const states = await all
    .select([
      'ramp_transactions.status',
      sql<number>`count(*)`.as('transactions'),
      sql<bigint>`coalesce(sum(fee_cents) ${completed}, 0)`.as('fees'),
      sql<bigint>`coalesce(sum(trunc(token_amount * 10::numeric ^ ${SUMMARY_DECIMALS} / 10::numeric ^ token_decimals))
        ${completed}, 0)::numeric(78, 0)`.as('delivered'),
    ])
    .groupBy('ramp_transactions.status')
    .execute()
  const { active } = await all
    .where('ramp_customers.kind', '=', 'recipient')
    .select(sql<number>`count(distinct ramp_transactions.customer_id)`.as('active'))
    .executeTakeFirstOrThrow()
  const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)
  return {
    volumeCents: sum(days.map(({ volume }) => volume)),
    feesCents: sum(states.map(({ fees }) => fees)),
    delivered: sum(states.map(({ delivered }) => delivered)),
    activeRecipients: active,
    transactions: states.reduce((total, { transactions }) => total + transactions, 0),
    byStatus: Object.fromEntries(states.map(({ status, transactions }) => [status, transactions])),
    byDay: days.map(({ date, volume, transactions }) => ({ date, volumeCents: volume, transactions })),
  }
}
