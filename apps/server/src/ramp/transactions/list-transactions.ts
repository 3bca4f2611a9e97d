import type { Database, RampDirection, RampStatus } from '../../database/index.ts'
import { Failure, RAMP_EXPORT_BATCH } from '../../kernel/index.ts'
import type { RampParts } from '../parts.ts'
import { RAMP_STATUSES, TERMINAL_RAMP_STATUSES } from './ramp-transaction-states.ts'
import { CUSTOMER_COLUMNS, type RampTransaction, rampTransactionFrom, withCustomerName } from './transaction.ts'

/** Statuses that a transaction does not stay in. */
const UNDER_WAY = RAMP_STATUSES.filter((status) => !TERMINAL_RAMP_STATUSES.includes(status))

export interface RampTransactionFilter {
  readonly direction?: RampDirection | undefined
  readonly transactionId?: number | undefined
  /** Of the delivery, or of the return of tokens. */
  readonly txHash?: string | undefined
  readonly status?: RampStatus | undefined
  /** Only what may still change. */
  readonly isUnderWay?: boolean | undefined
  readonly recipientId?: number | undefined
  /** Inclusive. */
  readonly from?: Date | undefined
  /** Exclusive. */
  readonly before?: Date | undefined
}

export function matchingTransactions(db: Database, organizationId: number, filter: RampTransactionFilter) {
  let query = db
    .selectFrom('ramp_transactions')
    .innerJoin('ramp_customers', (join) =>
      join
        .onRef('ramp_customers.organization_id', '=', 'ramp_transactions.organization_id')
        .onRef('ramp_customers.id', '=', 'ramp_transactions.customer_id'),
    )
    .where('ramp_transactions.organization_id', '=', organizationId)
  if (filter.direction) query = query.where('ramp_transactions.direction', '=', filter.direction)
  if (filter.status) query = query.where('ramp_transactions.status', '=', filter.status)
  if (filter.isUnderWay) query = query.where('ramp_transactions.status', 'in', UNDER_WAY)
  if (filter.transactionId !== undefined) query = query.where('ramp_transactions.id', '=', filter.transactionId)
  const { txHash } = filter
  if (txHash !== undefined)
    query = query.where(({ or, eb }) =>
      or([eb('ramp_transactions.tx_hash', '=', txHash), eb('ramp_transactions.return_tx_hash', '=', txHash)]),
    )
  if (filter.recipientId !== undefined) {
    query = query
      .where('ramp_transactions.customer_id', '=', filter.recipientId)
      .where('ramp_customers.kind', '=', 'recipient')
  }
  if (filter.from) query = query.where('ramp_transactions.created_at', '>=', filter.from)
  if (filter.before) query = query.where('ramp_transactions.created_at', '<', filter.before)
  return query
}

const rowsOf = (query: ReturnType<typeof matchingTransactions>) =>
  query.selectAll('ramp_transactions').select(CUSTOMER_COLUMNS).orderBy('ramp_transactions.id', 'desc')

/** A page of the organization's ramp transactions, newest first. Two statements. */
export async function listTransactions(
  { db, fields }: Pick<RampParts, 'db' | 'fields'>,
  organizationId: number,
  filter: RampTransactionFilter,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ transactions: RampTransaction[]; total: number }> {
  const matching = matchingTransactions(db, organizationId, filter)
  const { total } = await matching.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await rowsOf(matching).limit(page.limit).offset(page.offset).execute()
  return { transactions: rows.map((row) => rampTransactionFrom(withCustomerName(fields, row))), total }
}

/** One ramp transaction. Error: TRANSACTION_NOT_FOUND. */
export async function getTransaction(
  { db, fields }: Pick<RampParts, 'db' | 'fields'>,
  organizationId: number,
  transactionId: number,
  filter: Pick<RampTransactionFilter, 'direction'> = {},
): Promise<RampTransaction> {
  const row = await rowsOf(matchingTransactions(db, organizationId, filter))
    .where('ramp_transactions.id', '=', transactionId)
    .executeTakeFirst()
  if (!row) throw new Failure('TRANSACTION_NOT_FOUND')
  return rampTransactionFrom(withCustomerName(fields, row))
}

/** All matching transactions, newest first, in batches; each batch reflects the state when it is read. */
export async function* iterateTransactions(
  { db, fields }: Pick<RampParts, 'db' | 'fields'>,
  organizationId: number,
  filter: RampTransactionFilter,
): AsyncGenerator<RampTransaction[]> {
  let below: number | undefined
  for (;;) {
    let query = rowsOf(matchingTransactions(db, organizationId, filter)).limit(RAMP_EXPORT_BATCH)
    if (below !== undefined) query = query.where('ramp_transactions.id', '<', below)
    const rows = await query.execute()
    if (rows.length > 0) yield rows.map((row) => rampTransactionFrom(withCustomerName(fields, row)))
    if (rows.length < RAMP_EXPORT_BATCH) return
    below = rows.at(-1)!.id
  }
}
