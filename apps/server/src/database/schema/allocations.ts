import type { Generated } from 'kysely'
import type { JsonColumn, Optional, WithDefault } from './column-types.ts'

export type AllocationStatus = 'ACTIVE' | 'UNWINDING' | 'CLOSED'
export type ExitState = 'pending' | 'claimable' | 'claimed'

export interface AllocationsTables {
  allocations: {
    organization_id: number
    id: Generated<number>
    wallet_id: number
    strategy_id: number
    /** A state of allocation-states.ts. */
    status: AllocationStatus
    /** As the protocol counts them; on chain, the wallet holds them. */
    shares: bigint
    /** What was deposited and not withdrawn, in base units. */
    principal: bigint
    /** The value that the ledger's `deployed` account holds for it. */
    posted_value: bigint
    /** The price of a share at `posted_at`, scaled as the protocol scales it. */
    posted_price: bigint
    /** By the chain's clock. */
    posted_at: Date
    /** Yield that left with withdrawn shares. */
    realized_yield: WithDefault<bigint>
    /** When its deposit was included, by the chain's clock. */
    opened_at: Date
    updated_at: Date
    /** When the last share left, by the chain's clock; null while it is open. */
    closed_at: Optional<Date>
    /** What the owner could withdraw at `withdrawable_at`, in base units; `null`: not read yet, or unreadable. */
    withdrawable: Optional<bigint>
    /** When that was read, by the chain's clock. */
    withdrawable_at: Optional<Date>
    /** What the position was worth in the same reading, in base units; `null`: as `withdrawable`. */
    withdrawable_of: Optional<bigint>
    /** The `withdrawable_at` of that reading; if it differs, an earlier version has read since. */
    withdrawable_of_at: Optional<Date>
  }
  exits: {
    organization_id: number
    id: Generated<number>
    wallet_id: number
    strategy_id: number
    /** A state of exit-states.ts. */
    state: ExitState
    /** Requested back and not claimable yet, in base units. */
    pending: bigint
    /** What can be claimed now, in base units. */
    claimable: bigint
    /** All that was requested back, in base units. */
    requested: bigint
    /** All that was claimed, in base units. */
    claimed: bigint
    /** Whether a person or a client requested any of it. */
    on_request: boolean
    /** When all of it can be claimed, by the chain's clock; null: the protocol does not say. */
    claimable_at: Optional<Date>
    /** The block of the last reading. */
    read_block: number
    /** By the chain's clock. */
    read_at: Date
    /** When it was requested, by the chain's clock. */
    opened_at: Date
    /** When the last of it was claimed, by the chain's clock. */
    claimed_at: Optional<Date>
    updated_at: Date
  }
  ended_days: {
    blockchain: string
    /** The last block of the day. */
    block_number: number
    block_hash: string
    /** Of that block, by the chain’s clock. */
    block_time: Date
    /**
     * Share prices at it, in the unit of `strategies.price`, as text; with `readAt` those of a later block, of that
     * time, because no node kept the state of this one.
     */
    prices: JsonColumn<readonly { readonly strategyId: number; readonly price: string; readonly readAt?: string }[]>
    /** How far positions were posted: up to this wallet of this strategy. */
    strategy_id: Optional<number>
    wallet_id: Optional<number>
  }
  yield_snapshots: {
    organization_id: number
    allocation_id: number
    /** A day in UTC, by the chain's clock. */
    day: string
    /** The value of the position at the end of the day, in base units. */
    value: bigint
    /** What was deposited and not withdrawn up to that time, in base units. */
    principal: bigint
    /** Earned since the snapshot before, in base units; negative after a loss. */
    yield: bigint
    /** Earned since the position was opened, in base units. */
    cumulative_yield: bigint
  }
}
