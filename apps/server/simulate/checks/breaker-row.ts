/** A circuit breaker as the judge reads it, with its fact. */
export interface BreakerRow {
  readonly breaker: string
  readonly kind: string
  readonly state: string
  readonly settings: string
  readonly recovery: number
  readonly holds: boolean
  readonly known: boolean
  readonly measure: number | null
  readonly threshold: number | null
  readonly code: string | null
  /** The observation that its last event announced. */
  readonly announced: string | null
}

/** What was known of a strategy when a person accepted its breaker. */
export type AcceptedFact = Pick<BreakerRow, 'measure' | 'code'>

/** A breaker at the last check. */
export interface SeenBreaker extends BreakerRow {
  /** The last check that saw it open, unless a person accepted it since. */
  readonly openAt: Date | undefined
  /** The fact that a person accepted. */
  readonly accepted: AcceptedFact | undefined
  /** Whether a person may have accepted it since. */
  readonly isAsked?: boolean
}
