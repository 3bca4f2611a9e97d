import { integerFrom } from '../../rpc/integer-from.ts'

/** How our transactions set their price per compute unit, based on the offers in recent blocks. */
export interface PriorityFeePolicy {
  /** The percentage of recent blocks that would have accepted the price. */
  readonly percentile: number
  /** The maximum offer in millionths of a lamport, whatever others offer. */
  readonly max: bigint
}

/** At most 0.0002 SOL for a transaction of 200,000 units. */
export const DEFAULT_PRIORITY_FEES: PriorityFeePolicy = { percentile: 75, max: 1_000_000n }

export interface RecentFee {
  /** The lowest price paid in a block, in millionths of a lamport per compute unit. */
  readonly prioritizationFee: number
}

/** Millionths of a lamport per compute unit. */
export function priorityFee(recent: readonly RecentFee[], { percentile, max }: PriorityFeePolicy): bigint {
  const fees = recent.map(({ prioritizationFee }) => prioritizationFee).sort((a, b) => a - b)
  const rank = Math.min(fees.length - 1, Math.floor((fees.length * percentile) / 100))
  const fee = integerFrom('prioritizationFee', Math.ceil(fees[rank] ?? 0))
  return fee < max ? fee : max
}
