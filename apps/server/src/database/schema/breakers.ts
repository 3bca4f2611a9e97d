import type { JsonColumn, Optional } from './column-types.ts'

export type BreakerKind = 'price_fall' | 'depeg' | 'illiquidity' | 'upgrade'
export type BreakerState = 'closed' | 'open' | 'recovering' | 'accepted'

/** As `BreakerSettings` of the room `breakers`. */
interface StoredBreakerSettings {
  readonly priceFallBps: number | null
  readonly pegDistanceBps: number | null
  readonly withdrawableShareBps: number | null
  readonly onUpgrade: boolean
  readonly withdraw: boolean
  readonly recoverySeconds: number
}

export interface BreakersTables {
  breaker_settings: { organization_id: number; settings: JsonColumn<StoredBreakerSettings>; updated_at: Date }
  circuit_breakers: {
    organization_id: number
    strategy_id: number
    kind: BreakerKind
    state: BreakerState
    measure: Optional<number>
    accepted_measure: Optional<number>
    accepted_code: Optional<string>
    opened_at: Optional<Date>
    fine_since: Optional<Date>
    updated_at: Date
  }
}
