/** What a transaction of ours offers for a compute unit, told by what others offered in recent blocks. */
export interface PriorityFeePolicy {
  /** So many of a hundred recent blocks would have been content with it. */
  readonly percentile: number
  /** Millionths of a lamport that are offered at most, whatever others do. */
  readonly max: bigint
}

/** At most 0.0002 SOL for a transaction of 200,000 units. */
export const DEFAULT_PRIORITY_FEES: PriorityFeePolicy = { percentile: 75, max: 1_000_000n }

export interface RecentFee {
  /** The least that a transaction paid in a block, in millionths of a lamport for a compute unit. */
  readonly prioritizationFee: number
}

/** Millionths of a lamport for a compute unit. */
export function priorityFee(recent: readonly RecentFee[], { percentile, max }: PriorityFeePolicy): bigint {
  const fees = recent.map(({ prioritizationFee }) => prioritizationFee).sort((a, b) => a - b)
  const rank = Math.min(fees.length - 1, Math.floor((fees.length * percentile) / 100))
  const fee = BigInt(Math.ceil(fees[rank] ?? 0))
  return fee < max ? fee : max
}
