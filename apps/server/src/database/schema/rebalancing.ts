import type { Generated } from 'kysely'
import type { JsonColumn, Optional } from './column-types.ts'
import type { AuditActorType } from './identity-audit.ts'

/** As `DepositLimits` of the room `rebalancing`. */
interface StoredDepositLimits {
  readonly allowedStrategies: readonly number[] | null
  readonly caps: readonly {
    readonly kind: 'strategy' | 'protocol' | 'blockchain'
    readonly of: string
    readonly shareBps: number
  }[]
  readonly poolShareBps: number | null
  readonly liquidityShareBps: number | null
  readonly priceFallBps?: number | null
  readonly withdrawableShareBps?: number | null
}

/** `open`: what a strategy could not pay at once is still to be fetched. */
export type RefusedMoveType = 'SUPPLY' | 'UNWIND' | 'REVOKE' | 'CLAIM'

export type AwaitedState = 'open' | 'fetched' | 'cancelled' | 'rejected'

export interface RebalancingTables {
  deposit_limits: {
    organization_id: number
    /** Allowed strategies, caps, and the largest shares of a pool, in hundredths of a percent; null: no limit. */
    limits: JsonColumn<StoredDepositLimits>
    updated_at: Date
  }
  strategy_caps: {
    organization_id: number
    strategy_id: number
    /** The largest share of the organization's holdings of the token on that chain, in hundredths of a percent. */
    share_bps: number
    updated_at: Date
  }
  refused_moves: {
    organization_id: number
    op_wallet_id: number
    strategy_id: number
    /** The type of the move. */
    type: RefusedMoveType
    /** In a row. */
    failures: number
    /** The code of the last refusal. */
    code: string
    message: string
    /** Base units of a withdrawal; null for other moves. */
    amount: Optional<bigint>
    /** When it last refused. */
    refused_at: Date
    /** Until then the strategy is left out for this wallet. */
    until: Date
  }
  awaited_withdrawals: {
    organization_id: number
    id: Generated<number>
    op_wallet_id: number
    strategy_id: number
    /** Base units that were requested; null: the whole position. */
    amount: bigint | null
    /** `open` until all is fetched, a person cancels it, or an approver rejects one of its operations. */
    state: AwaitedState
    /** Who requested it; `system` never does. */
    requested_by_type: AuditActorType
    requested_by_id: number
    /** The member who holds the secret of the service account that requested it. */
    requester_user_id: Optional<number>
    created_at: Date
    /** When it was fetched, cancelled or rejected; null: it is open. */
    ended_at: Optional<Date>
  }
  /** What withdraws it, part by part. */
  awaited_withdrawal_operations: { organization_id: number; operation_id: number; awaited_id: number }
}
