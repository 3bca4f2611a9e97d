import type { Generated } from 'kysely'
import type { Optional, WithDefault } from './column-types.ts'

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
    shares: bigint
    principal: bigint
    /** The value that the ledger's `deployed` account holds for it. */
    posted_value: bigint
    posted_price: bigint
    /** By the chain's clock. */
    posted_at: Date
    /** Yield that left with withdrawn shares. */
    realized_yield: WithDefault<bigint>
    opened_at: Date
    updated_at: Date
    closed_at: Optional<Date>
    /** What the owner could withdraw at `withdrawable_at`, in base units; `null`: not read yet, or unreadable. */
    withdrawable: Optional<bigint>
    withdrawable_at: Optional<Date>
  }
  exits: {
    organization_id: number
    id: Generated<number>
    wallet_id: number
    strategy_id: number
    /** A state of exit-states.ts. */
    state: ExitState
    pending: bigint
    claimable: bigint
    requested: bigint
    claimed: bigint
    on_request: boolean
    claimable_at: Optional<Date>
    read_block: number
    /** By the chain's clock. */
    read_at: Date
    opened_at: Date
    claimed_at: Optional<Date>
    updated_at: Date
  }
  yield_snapshots: {
    organization_id: number
    allocation_id: number
    day: string
    value: bigint
    principal: bigint
    yield: bigint
    cumulative_yield: bigint
  }
}
