import type { JsonColumn, Optional } from './column-types.ts'
import type { OperationType } from './operations.ts'

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
    type: OperationType | 'CLAIM'
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
}
