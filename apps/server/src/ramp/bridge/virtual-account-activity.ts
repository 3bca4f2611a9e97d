import type { RampStatus } from '../../database/index.ts'
import type { TransferEvent } from '../provider/port.ts'
import { onrampAmounts, parseAmount, type TransferAmounts, toCents, toUnits } from './amounts.ts'
import { railOf } from './currencies-and-rails.ts'
import type { BridgeAccount } from './find-account.ts'
import { type BridgeJson, objectOf, only, textOf, timeOf } from './json-fields.ts'
import { sequenceOf } from './sequence.ts'

/** Status of an on-ramp payment, by type of the activity on its virtual account. */
const STATUS: Readonly<Record<string, RampStatus>> = {
  in_review: 'pending',
  funds_received: 'processing',
  payment_submitted: 'broadcasted',
  payment_processed: 'completed',
  // The API reference and the models of its clients spell it differently.
  refunded: 'failed',
  refund: 'failed',
}
const TYPES = Object.keys(STATUS)
/** Activity types that include the fees and the delivered amount. */
const PRICED = ['payment_submitted', 'payment_processed']

/** The virtual account of an activity. */
export const accountOfActivity = (activity: BridgeJson): string | undefined => textOf(activity, 'virtual_account_id')

/** Whether an activity is about a received payment, not about the account or an expected payment. */
export const isPayment = (activity: BridgeJson): boolean => Object.hasOwn(STATUS, textOf(activity, 'type') ?? '')

/**
 * Converts an activity on a virtual account to an event of its payment (`deposit_id`). Its own time determines its order,
 * whenever it is delivered; an amended activity comes right after the original. `undefined` if required fields are missing.
 */
export function activityEvent(
  activity: BridgeJson,
  account: BridgeAccount,
  { id, isAmended }: { readonly id: string; readonly isAmended: boolean },
): TransferEvent | undefined {
  const [type = '', deposit, at] = [
    textOf(activity, 'type'),
    textOf(activity, 'deposit_id'),
    timeOf(activity, 'created_at'),
  ]
  const amounts = amountsOf(activity, type, account)
  const status = Object.hasOwn(STATUS, type) ? STATUS[type] : undefined
  if (!status || !amounts || deposit === undefined || at === undefined) return undefined
  const source = objectOf(activity, 'source')
  return {
    kind: 'transfer',
    id,
    subject: deposit,
    sequence: sequenceOf(at, TYPES.indexOf(type) * 2 + (isAmended ? 1 : 0)),
    status,
    transfer: {
      direction: 'onramp',
      accountReference: account.reference,
      ...amounts,
      asset: account.asset,
      tokenDecimals: account.tokenDecimals,
      rail: railOf(textOf(source, 'payment_rail')) ?? account.rail,
      paymentReference: textOf(source, 'trace_number') ?? textOf(source, 'imad') ?? deposit,
      txHash: PRICED.includes(type) ? (textOf(activity, 'destination_tx_hash') ?? null) : null,
      returnTxHash: null,
      failureReason: status === 'failed' ? 'payment_refunded' : null,
    },
  }
}

const FIELDS = ['id', 'type', 'virtual_account_id', 'deposit_id', 'created_at', 'destination_tx_hash']
const AMOUNTS = ['amount', 'subtotal_amount', 'developer_fee_amount', 'exchange_fee_amount']
const SOURCE_FIELDS = ['payment_rail', 'trace_number', 'imad']

/** What {@link activityEvent} reads of an activity: without the payer's name and account. */
export const paymentFields = (activity: BridgeJson): BridgeJson => ({
  ...only(activity, [...FIELDS, ...AMOUNTS]),
  source: only(objectOf(activity, 'source'), SOURCE_FIELDS),
})

/** The amount received is the remainder plus all fees; before pricing there are no fees. */
function amountsOf(
  activity: BridgeJson,
  type: string,
  { tokenDecimals: decimals }: BridgeAccount,
): TransferAmounts | undefined {
  const read = (name: string) => parseAmount(textOf(activity, name))
  const amount = read('amount')
  if (amount === undefined) return undefined
  const developerFee = read('developer_fee_amount') ?? 0n
  const gross = (read('subtotal_amount') ?? amount) + developerFee + (read('exchange_fee_amount') ?? 0n)
  const isPriced = PRICED.includes(type)
  const usdCents = toCents(isPriced ? gross : amount)
  const delivered = isPriced ? toUnits(amount, decimals) : usdCents * 10n ** BigInt(decimals - 2)
  return onrampAmounts(usdCents, delivered, { decimals, developerFee: isPriced ? developerFee : 0n })
}
