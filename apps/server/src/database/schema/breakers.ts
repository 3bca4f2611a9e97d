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
  breaker_settings: {
    organization_id: number
    /**
     * Thresholds in hundredths of a percent, null where a breaker is off; what happens to positions, and how long a
     * breaker takes to close.
     */
    settings: JsonColumn<StoredBreakerSettings>
    updated_at: Date
  }
  circuit_breakers: {
    organization_id: number
    strategy_id: number
    /** price_fall, depeg, illiquidity or upgrade. */
    kind: BreakerKind
    /** A state of breaker-states.ts. */
    state: BreakerState
    /** When it was last announced or changed its state, in hundredths of a percent; null for upgrade. */
    measure: Optional<number>
    /** The measure that somebody accepted; worse than that opens it again. */
    accepted_measure: Optional<number>
    /** upgrade: the fingerprint of the code that counts as known. */
    accepted_code: Optional<string>
    /** The measure that it announced last; what a person accepts. */
    observed_measure: Optional<number>
    /** upgrade: the fingerprint of the code that it announced last. */
    observed_code: Optional<string>
    /** When it announced that; before it last opened: it has not yet announced why. */
    observed_at: Optional<Date>
    /** When it last opened. */
    opened_at: Optional<Date>
    /** When its fact recovered; it closes after the recovery time. */
    fine_since: Optional<Date>
    updated_at: Date
  }
}
