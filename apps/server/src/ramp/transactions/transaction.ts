import type { Selectable } from 'kysely'
import type { RampDirection, RampStatus, Schema } from '../../database/index.ts'
import { type Actor, creatorFrom } from '../../identity/index.ts'
import { formatDecimal, UNREADABLE } from '../../kernel/index.ts'
import { readName } from '../customers/customer-fields.ts'
import type { FieldSealer } from '../sealing/sealed-fields.ts'

/** The fields that a ramp transaction has in every status. USD amounts are in cents, token amounts in base units. */
interface RampTransactionFields {
  readonly organizationId: number
  readonly transactionId: number
  readonly direction: RampDirection
  readonly customerId: number
  /** Null: the organization itself. */
  readonly recipientId: number | null
  /** Null: it does not open. */
  readonly customerName: string | null
  readonly accountId: number
  readonly blockchain: string
  readonly sourceAsset: string
  readonly destinationAsset: string
  readonly tokenDecimals: number
  readonly usdCents: bigint
  readonly feeCents: bigint
  readonly developerFeeCents: bigint
  /** On-ramp: amount delivered. Off-ramp: amount received, including dust. */
  readonly tokenAmount: bigint
  /** Remainder below one cent; off-ramp only. */
  readonly dust: bigint
  readonly exchangeRate: string
  readonly paymentRail: string
  readonly paymentReference: string
  readonly txHash: string | null
  readonly statusHistory: readonly { readonly status: RampStatus; readonly timestamp: string }[]
  readonly createdAt: Date
  /** Who simulated it; null for real payments. */
  readonly createdBy: Actor | null
}

interface Completed {
  readonly completedAt: Date
}

interface Unsuccessful {
  readonly failureReason: string | null
  /** The transaction that returned the tokens, once that is final. */
  readonly returnTxHash: string | null
}

interface Statuses {
  /** A deposit that will be rejected has its reason from the start. */
  pending: Pick<Unsuccessful, 'failureReason'>
  processing: object
  in_progress: object
  awaiting_confirmation: object
  broadcasted: object
  completed: Completed
  failed: Unsuccessful
  rejected: Unsuccessful
  reversed: Completed & Unsuccessful
}

/** A ramp transaction in one status, with the fields that exist in it. */
export type RampTransactionIn<Status extends RampStatus> = {
  [Each in Status]: RampTransactionFields & { readonly status: Each } & Statuses[Each]
}[Status]

/** A payment between a bank and a chain; its status determines which other fields it has. */
export type RampTransaction = RampTransactionIn<RampStatus>

const isCompleted = (transaction: RampTransaction): transaction is RampTransactionIn<'completed' | 'reversed'> =>
  transaction.status === 'completed' || transaction.status === 'reversed'

const isUnsuccessful = (
  transaction: RampTransaction,
): transaction is RampTransactionIn<'failed' | 'rejected' | 'reversed'> =>
  transaction.status === 'failed' || transaction.status === 'rejected' || transaction.status === 'reversed'

/** A row joined with its customer. */
export type RampTransactionRow = Selectable<Schema['ramp_transactions']> & {
  readonly customer_kind: 'organization' | 'recipient'
  readonly customer_name: string | null
}

/** The columns of the customer that a row is joined with, before its name is opened. */
export const CUSTOMER_COLUMNS = [
  'ramp_customers.kind as customer_kind',
  'ramp_customers.name as clear_name',
  'ramp_customers.sealed_name',
] as const

/** A joined row with the customer's name, opened. */
export function withCustomerName(
  fields: FieldSealer,
  {
    clear_name: name,
    sealed_name,
    ...row
  }: Omit<RampTransactionRow, 'customer_name'> & { readonly clear_name: string; readonly sealed_name: Buffer | null },
): RampTransactionRow {
  const owner = { organizationId: row.organization_id, id: row.customer_id }
  return { ...row, customer_name: readName(fields, owner, { name, sealed_name }) }
}

/**
 * A stored ramp transaction. Fields that do not belong to its status are present and `null`, as the row has them; the
 * types hide those fields.
 */
export function rampTransactionFrom(row: RampTransactionRow): RampTransaction {
  return {
    organizationId: row.organization_id,
    transactionId: row.id,
    direction: row.direction,
    customerId: row.customer_id,
    recipientId: row.customer_kind === 'recipient' ? row.customer_id : null,
    customerName: row.customer_name,
    accountId: row.account_id,
    blockchain: row.blockchain,
    sourceAsset: row.source_asset,
    destinationAsset: row.destination_asset,
    tokenDecimals: row.token_decimals,
    usdCents: row.usd_cents,
    feeCents: row.fee_cents,
    developerFeeCents: row.developer_fee_cents,
    tokenAmount: row.token_amount,
    dust: row.dust,
    exchangeRate: row.exchange_rate,
    paymentRail: row.payment_rail,
    paymentReference: row.payment_reference,
    txHash: row.tx_hash,
    returnTxHash: row.return_tx_hash,
    status: row.status,
    statusHistory: row.status_history,
    failureReason: row.failure_reason,
    createdAt: row.created_at,
    createdBy: creatorFrom(row),
    completedAt: row.completed_at,
  } as RampTransaction
}

/** A ramp transaction in the API and in events (contract 11). */
export interface RampRecord {
  id: number
  type: RampDirection
  ramp_recipient_id: number | null
  ramp_recipient_name: string | null
  account_id: number
  source_asset: string
  destination_asset: string
  network_id: string
  usd_amount: string
  total_fee: string
  developer_fee: string
  charged_fee: string
  net_amount: string
  payout_amount: string | null
  delivered_amount: string | null
  delivered_amount_base_units: string | null
  dust_base_units: string | null
  exchange_rate: string
  payment_rail: string
  payment_reference: string
  tx_hash: string | null
  return_tx_hash: string | null
  status: RampStatus
  status_history: { status: RampStatus; timestamp: string }[]
  failure_reason: string | null
  created_at: string
  created_by?: { type: Actor['type']; id: number | null }
  completed_at: string | null
}

export const formatDollars = (cents: bigint): string => formatDecimal(cents, 2)

export function rampRecordOf(transaction: RampTransaction): RampRecord {
  const { tokenAmount, tokenDecimals } = transaction
  const hasAmount = hasMovedTokens(transaction)
  const netCents = transaction.usdCents - transaction.feeCents
  return {
    id: transaction.transactionId,
    type: transaction.direction,
    ramp_recipient_id: transaction.recipientId,
    ramp_recipient_name: transaction.recipientId === null ? null : (transaction.customerName ?? UNREADABLE),
    account_id: transaction.accountId,
    source_asset: transaction.sourceAsset,
    destination_asset: transaction.destinationAsset,
    network_id: transaction.blockchain,
    usd_amount: formatDollars(transaction.usdCents),
    total_fee: formatDollars(transaction.feeCents),
    developer_fee: formatDollars(transaction.developerFeeCents),
    charged_fee: formatDollars(transaction.status === 'completed' ? transaction.feeCents : 0n),
    net_amount: formatDollars(netCents),
    payout_amount: isPaidOut(transaction) ? formatDollars(netCents) : null,
    delivered_amount: hasAmount ? formatDecimal(tokenAmount, tokenDecimals) : null,
    delivered_amount_base_units: hasAmount ? tokenAmount.toString() : null,
    dust_base_units: transaction.direction === 'offramp' ? transaction.dust.toString() : null,
    exchange_rate: transaction.exchangeRate,
    payment_rail: transaction.paymentRail,
    payment_reference: transaction.paymentReference,
    tx_hash: transaction.txHash,
    return_tx_hash: isUnsuccessful(transaction) ? transaction.returnTxHash : null,
    status: transaction.status,
    status_history: [...transaction.statusHistory],
    failure_reason: isUnsuccessful(transaction) || transaction.status === 'pending' ? transaction.failureReason : null,
    created_at: transaction.createdAt.toISOString(),
    ...(transaction.createdBy && { created_by: transaction.createdBy }),
    completed_at: isCompleted(transaction) ? transaction.completedAt.toISOString() : null,
  }
}

/** Off-ramp: the bank received the net amount, and still has it. */
const isPaidOut = ({ direction, status }: RampTransaction) => direction === 'offramp' && status === 'completed'

/** Off-ramp: tokens move first. On-ramp: tokens have moved once broadcast, unless the delivery failed on chain. */
function hasMovedTokens({ direction, status, statusHistory }: RampTransaction): boolean {
  if (direction === 'offramp') return true
  if (status === 'failed') return false
  return statusHistory.some(({ status }) => status === 'broadcasted' || status === 'completed')
}
