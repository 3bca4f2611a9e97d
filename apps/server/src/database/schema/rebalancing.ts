import type { JsonColumn } from './column-types.ts'
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
  deposit_limits: { organization_id: number; limits: JsonColumn<StoredDepositLimits>; updated_at: Date }
  strategy_caps: { organization_id: number; strategy_id: number; share_bps: number; updated_at: Date }
  refused_moves: {
    organization_id: number
    op_wallet_id: number
    strategy_id: number
    type: OperationType
    /** In a row. */
    failures: number
    code: string
    message: string
    refused_at: Date
    until: Date
  }
}
