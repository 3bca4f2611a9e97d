import type { Selectable } from 'kysely'
import type { BreakerKind, BreakerState, Schema } from '../database/index.ts'

export const BREAKER_KINDS: readonly BreakerKind[] = ['price_fall', 'depeg', 'illiquidity', 'upgrade']

/** One circuit breaker of an organization and a strategy. Measures in hundredths of a percent. */
export interface Breaker {
  readonly organizationId: number
  readonly strategyId: number
  readonly kind: BreakerKind
  readonly state: BreakerState
  /**
   * At the last change of state. `price_fall`: below the highest price. `depeg`: from 1 US dollar. `illiquidity`: the
   * part that was withdrawable. `upgrade`: nothing.
   */
  readonly measure: number | null
  /** The measure that somebody accepted. */
  readonly acceptedMeasure: number | null
  /** The fingerprint of the code that counts as known. */
  readonly acceptedCode: string | null
  readonly openedAt: Date | null
  /** Since when its fact is fine again. */
  readonly fineSince: Date | null
}

export function breakerFrom(row: Selectable<Schema['circuit_breakers']>): Breaker {
  return {
    organizationId: row.organization_id,
    strategyId: row.strategy_id,
    kind: row.kind,
    state: row.state,
    measure: row.measure,
    acceptedMeasure: row.accepted_measure,
    acceptedCode: row.accepted_code,
    openedAt: row.opened_at,
    fineSince: row.fine_since,
  }
}

/** A breaker that never opened. */
export const newBreaker = (key: Pick<Breaker, 'organizationId' | 'strategyId' | 'kind'>): Breaker => ({
  ...key,
  state: 'closed',
  measure: null,
  acceptedMeasure: null,
  acceptedCode: null,
  openedAt: null,
  fineSince: null,
})

/** Why it stops deposits, as a text for people. */
export function breakerReason({ kind, measure }: Pick<Breaker, 'kind' | 'measure'>): string {
  const percent = measure === null ? '' : ` ${(measure / 100).toFixed(2)}%`
  switch (kind) {
    case 'price_fall':
      return `a circuit breaker is open: its share price fell by${percent}`
    case 'depeg':
      return `a circuit breaker is open: its token is${percent} off its peg`
    case 'illiquidity':
      return `a circuit breaker is open: only${percent} of the position can be withdrawn`
    case 'upgrade':
      return 'a circuit breaker is open: the code of its contracts was replaced'
  }
}
