import { isDeepStrictEqual } from 'node:util'
import { emit, type NewEvent, type Tx } from '../../database/index.ts'
import { assert } from '../../kernel/index.ts'
import type { TransferEvent, TransferSnapshot } from '../provider/port.ts'
import { postFiat } from '../transactions/post-fiat.ts'
import { type RampTransition, TERMINAL_RAMP_STATUSES, transitionPath } from '../transactions/ramp-transaction-states.ts'
import {
  type RampTransaction,
  type RampTransactionRow,
  rampRecordOf,
  rampTransactionFrom,
} from '../transactions/transaction.ts'
import type { ApplyEventParts, ProviderEventOutcome } from './outcome.ts'

/**
 * Moves a ramp transaction to the status of an event: status, history, fiat postings and outbox in the caller's
 * transaction. The first event of a transfer creates the ramp transaction. The only code that assigns a status.
 */
export async function applyTransferEvent(
  parts: ApplyEventParts,
  tx: Tx,
  event: TransferEvent,
): Promise<ProviderEventOutcome> {
  const at = parts.clock.now()
  const found = await findTransaction(tx, event.subject)
  if (found && event.sequence <= found.provider_sequence) return 'overtaken'
  const path = transitionPath(found?.direction ?? event.transfer.direction, found?.status ?? null, event.status)
  if (!path) return 'contradicts'
  const row = found ?? (await insertTransaction(tx, event, at))
  if (!row) return 'unknown'

  const before = rampRecordOf(rampTransactionFrom(row))
  let transaction = rampTransactionFrom(withUpdates(row, event))
  const events: NewEvent[] = []
  for (const step of path) {
    transaction = afterTransition(transaction, step, at)
    if (step.posts) await postFiat(tx, transaction, step.posts, at)
    events.push(...eventsOf(transaction, step, at))
  }
  // New data without a status change is emitted too, such as the hash of the transaction that returned tokens.
  if (path.length === 0 && !isDeepStrictEqual(rampRecordOf(transaction), before))
    events.push(...eventsOf(transaction, {}, at))
  await tx
    .updateTable('ramp_transactions')
    .set({
      status: transaction.status,
      status_history: JSON.stringify(transaction.statusHistory),
      completed_at: transaction.completedAt,
      tx_hash: transaction.txHash,
      return_tx_hash: transaction.returnTxHash,
      failure_reason: transaction.failureReason,
      fee_cents: transaction.feeCents,
      developer_fee_cents: transaction.developerFeeCents,
      token_amount: transaction.tokenAmount,
      dust: transaction.dust,
      exchange_rate: transaction.exchangeRate,
      provider_sequence: event.sequence,
    })
    .where('organization_id', '=', row.organization_id)
    .where('id', '=', row.id)
    .execute()
  await emit(tx, events)
  return 'applied'
}

async function findTransaction(tx: Tx, reference: string): Promise<RampTransactionRow | undefined> {
  return tx
    .selectFrom('ramp_transactions')
    .innerJoin('ramp_customers', (join) =>
      join
        .onRef('ramp_customers.organization_id', '=', 'ramp_transactions.organization_id')
        .onRef('ramp_customers.id', '=', 'ramp_transactions.customer_id'),
    )
    .selectAll('ramp_transactions')
    .select(['ramp_customers.kind as customer_kind', 'ramp_customers.name as customer_name'])
    .where('ramp_transactions.provider_reference', '=', reference)
    .forUpdate('ramp_transactions')
    .executeTakeFirst()
}

/** Inserts a transaction with an empty status history; `undefined` if the account is unknown. */
async function insertTransaction(
  tx: Tx,
  { subject, transfer }: TransferEvent,
  at: Date,
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
      provider_reference: subject,
      provider_sequence: 0,
      created_at: at,
    })
    .execute()
  return findTransaction(tx, subject)
}

/** The row with new data from the event; known values are never cleared. */
function withUpdates(row: RampTransactionRow, { transfer }: TransferEvent): RampTransactionRow {
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

function afterTransition(transaction: RampTransaction, { to }: RampTransition, at: Date): RampTransaction {
  return {
    ...transaction,
    status: to,
    statusHistory: [...transaction.statusHistory, { status: to, timestamp: at.toISOString() }],
    completedAt: to === 'completed' ? at : transaction.completedAt,
  }
}

/** `transaction.updated` for every change, plus the event of the transition (contract 12). */
function eventsOf(transaction: RampTransaction, { emits }: Pick<RampTransition, 'emits'>, at: Date): NewEvent[] {
  const prefix = transaction.direction === 'onramp' ? 'transaction' : 'offramp_transaction'
  const data = {
    ...rampRecordOf(transaction),
    transaction_id: transaction.transactionId,
    customer_id: transaction.recipientId,
  }
  return ['updated', ...(emits ? [emits] : [])].map((suffix) => ({
    organizationId: transaction.organizationId,
    event: `${prefix}.${suffix}`,
    objectType: 'ramp_transaction',
    objectId: transaction.transactionId,
    data: { ...data },
    at,
  }))
}
