import type { RampStatus } from '../../database/index.ts'
import type { TransferEvent } from '../provider/port.ts'
import { offrampAmounts, parseAmount, toCents, toUnits } from './amounts.ts'
import type { BridgeAccount } from './find-account.ts'
import { type BridgeJson, objectOf, only, textOf } from './json-fields.ts'
import { sequenceOf } from './sequence.ts'

/** States of a payout that came back; `failed` or `reversed` depends on whether the bank had been paid. */
const RETURNED_STATES = ['returned', 'refunded']
/** Status of an off-ramp payment, by state of the drain. */
const STATUS: Readonly<Record<string, RampStatus>> = {
  in_review: 'pending',
  funds_received: 'processing',
  payment_submitted: 'in_progress',
  payment_processed: 'completed',
  undeliverable: 'failed',
  canceled: 'failed',
}
const STATES = [...Object.keys(STATUS), ...RETURNED_STATES]

/** The liquidation address of a drain. */
export const accountOfDrain = (drain: BridgeJson): string | undefined => textOf(drain, 'liquidation_address_id')

/** Whether the state maps to a status; in other states the partner has to act manually. */
export const isDrainState = (drain: BridgeJson): boolean => STATES.includes(textOf(drain, 'state') ?? '')

interface DrainContext {
  readonly id: string
  /** When the drain entered this state, or later. */
  readonly at: number
  /** Whether the partner says that the bank had already been paid; its lists do not. */
  readonly wasPaid: boolean
}

/** Converts the state of a drain to an off-ramp event; `undefined` if required fields are missing. */
export function drainEvent(
  drain: BridgeJson,
  account: BridgeAccount,
  { id, at, wasPaid }: DrainContext,
): TransferEvent | undefined {
  const { tokenDecimals: decimals } = account
  const [state = '', subject] = [textOf(drain, 'state'), textOf(drain, 'id')]
  const receipt = objectOf(drain, 'receipt')
  const arrived = parseAmount(textOf(receipt, 'initial_amount') ?? textOf(drain, 'amount'))
  if (!STATES.includes(state) || arrived === undefined || subject === undefined) return undefined
  const paid = parseAmount(textOf(receipt, 'outgoing_amount'))
  const rate = textOf(receipt, 'exchange_rate') ?? ''
  const cameBack = RETURNED_STATES.includes(state)
  const status = cameBack ? (wasPaid ? 'reversed' : 'failed') : STATUS[state]!
  return {
    kind: 'transfer',
    id,
    subject,
    sequence: sequenceOf(at, STATES.indexOf(state)),
    status,
    cameBack,
    transfer: {
      direction: 'offramp',
      accountReference: account.reference,
      ...offrampAmounts(toUnits(arrived, decimals), paid === undefined ? undefined : toCents(paid), {
        decimals,
        developerFee: parseAmount(textOf(receipt, 'developer_fee')) ?? 0n,
        rate: /^[0-9]{1,9}(\.[0-9]{1,18})?$/.test(rate) ? rate : '1.00',
      }),
      asset: account.asset,
      tokenDecimals: decimals,
      rail: account.rail,
      paymentReference: subject,
      txHash: textOf(drain, 'deposit_tx_hash') ?? null,
      returnTxHash: textOf(drain, 'refund_tx_hash') ?? null,
      failureReason: status === 'failed' || status === 'reversed' ? `payment_${state}` : null,
    },
  }
}

const FIELDS = ['id', 'liquidation_address_id', 'state', 'amount', 'deposit_tx_hash', 'refund_tx_hash']
const TIMES = ['created_at', 'updated_at']
const RECEIPT_FIELDS = ['initial_amount', 'outgoing_amount', 'exchange_rate', 'developer_fee']

/** What {@link drainEvent} and the polling read of a drain: without anything about the receiver. */
export const payoutFields = (drain: BridgeJson): BridgeJson => ({
  ...only(drain, [...FIELDS, ...TIMES]),
  receipt: only(objectOf(drain, 'receipt'), RECEIPT_FIELDS),
})

/** Whether the bank had already been paid, according to the changes of an event (`{name: [before, after]}`). */
export function wasPaidBefore(changes: BridgeJson | undefined): boolean {
  const state = changes?.state
  return (Array.isArray(state) ? state[0] : state) === 'payment_processed'
}
