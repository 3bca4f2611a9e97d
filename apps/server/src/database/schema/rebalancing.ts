import type { OperationType } from './operations.ts'

export interface RebalancingTables {
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
