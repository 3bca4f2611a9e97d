export interface RebalancingTables {
  strategy_caps: { organization_id: number; strategy_id: number; share_bps: number; updated_at: Date }
}
