import { isDeepStrictEqual } from 'node:util'
import { emit, labelOfPersonalFields, type NewEvent, type Tx } from '../../database/index.ts'
import { creatorColumns } from '../../identity/index.ts'
import { assert } from '../../kernel/index.ts'
import type { TransferSnapshot } from '../provider/port.ts'
import type { FieldSealer } from '../sealing/sealed-fields.ts'
import { postFiat } from './post-fiat.ts'
import { type RampTransition, TERMINAL_RAMP_STATUSES } from './ramp-transaction-states.ts'
import {
  CUSTOMER_COLUMNS,
  type RampTransaction,
  type RampTransactionRow,
  rampRecordOf,
  rampTransactionFrom,
  withCustomerName,
} from './transaction.ts'

/** The only code that assigns the status of a ramp transaction, by the tables in `ramp-transaction-states.ts`. */

/** A report of the provider, with the transitions that lead to its status. */
export interface RampMove {
  /** Empty if the report confirms the status. */
  readonly path: readonly RampTransition[]
  readonly transfer: TransferSnapshot
  /** The report's number in the provider's order. */
  readonly sequence: number
  readonly at: Date
}

/**
 * Moves a ramp transaction along a path: status, history, fiat postings and outbox in the caller's transaction. The
 * caller has locked the row. New data without a transition is emitted too, such as the hash of the transaction that
 * returned tokens.
 */
export async function advanceRampTransaction(
  tx: Tx,
  fields: FieldSealer,
  row: RampTransactionRow,
  move: RampMove,
): Promise<void> {
  const { path, transfer, sequence, at } = move
  let moved = withUpdates(row, transfer)
  const events: NewEvent[] = []
  for (const step of path) {
    moved = afterTransition(moved, step, at)
    const transaction = rampTransactionFrom(moved)
    if (step.posts) await postFiat(tx, transaction, step.posts, at)
    events.push(...eventsOf(fields, transaction, step, at))
  }
  const transaction = rampTransactionFrom(moved)
  if (isRefunded(moved) && !isRefunded(row)) await postFiat(tx, transaction, 'refunded', at)
  if (path.length === 0 && !isDeepStrictEqual(rampRecordOf(transaction), rampRecordOf(rampTransactionFrom(row))))
    events.push(...eventsOf(fields, transaction, {}, at))
  await tx
    .updateTable('ramp_transactions')
    .set({
      status: moved.status,
      status_history: JSON.stringify(moved.status_history),
      completed_at: moved.completed_at,
      tx_hash: moved.tx_hash,
      return_tx_hash: moved.return_tx_hash,
      failure_reason: moved.failure_reason,
      fee_cents: moved.fee_cents,
      developer_fee_cents: moved.developer_fee_cents,
      token_amount: moved.token_amount,
      dust: moved.dust,
      exchange_rate: moved.exchange_rate,
      provider_sequence: sequence,
    })
    .where('organization_id', '=', row.organization_id)
    .where('id', '=', row.id)
    .execute()
  await emit(tx, events)
}

/**
 * The ramp transaction of a provider's reference, locked. Its customer cannot be erased meanwhile: an event of this
 * transaction would carry the name that was just read, and the erasure would not see it.
 */
export async function lockRampTransaction(
  tx: Tx,
  fields: FieldSealer,
  reference: string,
): Promise<RampTransactionRow | undefined> {
  const row = await tx
    .selectFrom('ramp_transactions')
    .innerJoin('ramp_customers', (join) =>
      join
        .onRef('ramp_customers.organization_id', '=', 'ramp_transactions.organization_id')
        .onRef('ramp_customers.id', '=', 'ramp_transactions.customer_id'),
    )
    .selectAll('ramp_transactions')
    .select(CUSTOMER_COLUMNS)
    .where('ramp_transactions.provider_reference', '=', reference)
    .forUpdate('ramp_transactions')
    .forShare('ramp_customers')
    .executeTakeFirst()
  return row && withCustomerName(fields, row)
}

/** Inserts a ramp transaction with an empty status history; `undefined` if the account is unknown. */
export async function insertRampTransaction(
  tx: Tx,
  fields: FieldSealer,
  { reference, transfer, at }: { readonly reference: string; readonly transfer: TransferSnapshot; readonly at: Date },
): Promise<RampTransactionRow | undefined> {
  const account = await tx
    .selectFrom('ramp_accounts')
    .selectAll()
    .where('provider_reference', '=', transfer.accountReference)
    .executeTakeFirst()
  if (!account || account.direction !== transfer.direction) return undefined
  const { quote, dust, asset } = transfer
  assert(quote.usdCents === quote.feeCents + quote.netCents, 'fee and net add up to the gross amount')
  await tx
    .insertInto('ramp_transactions')
    .values({
      organization_id: account.organization_id,
      direction: account.direction,
      customer_id: account.customer_id,
      account_id: account.id,
      blockchain: account.blockchain,
      source_asset: account.direction === 'onramp' ? 'USD' : asset,
      destination_asset: account.direction === 'onramp' ? asset : 'USD',
      token_decimals: transfer.tokenDecimals,
      usd_cents: quote.usdCents,
      fee_cents: quote.feeCents,
      developer_fee_cents: quote.developerFeeCents,
      token_amount: quote.tokenAmount + dust,
      dust,
      exchange_rate: quote.exchangeRate,
      payment_rail: transfer.rail,
      payment_reference: transfer.paymentReference,
      status: 'pending',
      status_history: '[]',
      provider_reference: reference,
      provider_sequence: 0,
      created_at: at,
      ...creatorColumns(transfer.createdBy),
    })
    .execute()
  return lockRampTransaction(tx, fields, reference)
}

/** Whether a payout that came back was followed by its tokens, which can be reported with it or later. */
function isRefunded({ direction, status, return_tx_hash: returned }: RampTransactionRow): boolean {
  return direction === 'offramp' && status === 'reversed' && returned !== null
}

/** The row with new data from the event; known values are never cleared. */
function withUpdates(row: RampTransactionRow, transfer: TransferSnapshot): RampTransactionRow {
  return {
    ...row,
    ...amountsOf(row, transfer),
    tx_hash: transfer.txHash ?? row.tx_hash,
    return_tx_hash: transfer.returnTxHash ?? row.return_tx_hash,
    failure_reason: transfer.failureReason ?? row.failure_reason,
  }
}

/** Amounts may change until the transaction is settled, as long as the gross USD amount stays the same. */
function amountsOf(row: RampTransactionRow, { quote, dust }: TransferSnapshot): Partial<RampTransactionRow> {
  if (TERMINAL_RAMP_STATUSES.includes(row.status) || quote.usdCents !== row.usd_cents) return {}
  assert(quote.usdCents === quote.feeCents + quote.netCents, 'fee and net add up to the gross amount')
  return {
    fee_cents: quote.feeCents,
    developer_fee_cents: quote.developerFeeCents,
    token_amount: quote.tokenAmount + dust,
    dust,
    exchange_rate: quote.exchangeRate,
  }
}

function afterTransition(row: RampTransactionRow, { to }: RampTransition, at: Date): RampTransactionRow {
  return {
    ...row,
    status: to,
    status_history: [...row.status_history, { status: to, timestamp: at.toISOString() }],
    completed_at: to === 'completed' ? at : row.completed_at,
  }
}

/** `transaction.updated` for every change, plus the event of the transition (contract 12). */
function eventsOf(
  fields: FieldSealer,
  transaction: RampTransaction,
  { emits }: Pick<RampTransition, 'emits'>,
  at: Date,
): NewEvent[] {
  const prefix = transaction.direction === 'onramp' ? 'transaction' : 'offramp_transaction'
  // If the customer cannot be read, as after an erasure, the event omits the name; the payment continues.
  const recipientName = transaction.recipientId === null ? null : transaction.customerName
  const data = {
    ...rampRecordOf(transaction),
    ramp_recipient_name: null,
    transaction_id: transaction.transactionId,
    customer_id: transaction.recipientId,
  }
  return ['updated', ...(emits ? [emits] : [])].map((suffix) => {
    const about = {
      organizationId: transaction.organizationId,
      event: `${prefix}.${suffix}`,
      objectType: 'ramp_transaction',
      objectId: transaction.transactionId,
    }
    if (recipientName === null) return { ...about, data: { ...data }, at }
    const personal = JSON.stringify({ ramp_recipient_name: recipientName })
    return { ...about, data: { ...data }, personal: fields.events.seal(personal, labelOfPersonalFields(about)), at }
  })
}
