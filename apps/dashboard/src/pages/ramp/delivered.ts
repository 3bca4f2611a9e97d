import type { Schema } from '../../api/types.ts'

type Payment = Pick<Schema<'RampTransaction'>, 'type' | 'payout_amount' | 'delivered_amount'>

/**
 * What reached the other side: tokens on the chain, or dollars in the bank without the fee; null until then. Of a
 * payment out, the record's `delivered_amount` is what came in.
 */
export const deliveredOf = ({ type, payout_amount, delivered_amount }: Payment): string | null =>
  type === 'offramp' ? (payout_amount ?? null) : delivered_amount
