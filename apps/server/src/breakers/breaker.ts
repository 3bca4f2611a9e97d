import type { Selectable } from 'kysely'
import type { BreakerKind, BreakerState, Schema } from '../database/index.ts'
import { assert } from '../kernel/index.ts'

export const BREAKER_KINDS: readonly BreakerKind[] = ['price_fall', 'depeg', 'illiquidity', 'upgrade']

/** What a circuit breaker announced: what its readers saw. */
export interface BreakerObservation {
  /** In hundredths of a percent; `null`: nothing to measure. */
  readonly measure: number | null
  /** `upgrade`: the fingerprint of the code. */
  readonly code: string | null
  readonly at: Date
}

/** The fields that a circuit breaker has in every state. Measures in hundredths of a percent. */
interface BreakerFields {
  readonly organizationId: number
  readonly strategyId: number
  readonly kind: BreakerKind
  /**
   * When it was last announced or changed its state. `price_fall`: below the highest price. `depeg`: from 1 US dollar. `illiquidity`: the
   * part that was withdrawable. `upgrade`: nothing.
   */
  readonly measure: number | null
  /** The fingerprint of the code that counts as known. */
  readonly acceptedCode: string | null
  /** What it announced last since it opened; `null`: nothing yet. */
  readonly observed: BreakerObservation | null
}

/** When it opened, kept after an acceptance. */
interface Opened {
  readonly openedAt: Date
}

interface BreakerStates {
  /** `openedAt`: the last time; `null`: it never opened. */
  closed: { readonly openedAt: Date | null }
  open: Opened
  /** `fineSince`: since when its fact is fine again. */
  recovering: Opened & { readonly fineSince: Date }
  /** `acceptedMeasure`: what somebody accepted; `null` where there is nothing to measure. */
  accepted: Opened & { readonly acceptedMeasure: number | null }
}

/** A circuit breaker in one state, with the fields that exist in it. */
export type BreakerIn<State extends BreakerState> = {
  [Each in State]: BreakerFields & { readonly state: Each } & BreakerStates[Each]
}[State]

/** One circuit breaker of an organization and a strategy; its state determines which other fields it has. */
export type Breaker = BreakerIn<BreakerState>

/** A breaker as stored: fields that do not belong to its state are present and `null`. */
export interface StoredBreaker extends BreakerFields {
  readonly state: BreakerState
  readonly acceptedMeasure: number | null
  readonly openedAt: Date | null
  readonly fineSince: Date | null
}

/** A stored breaker as one in its state. One that lacks a field of its state is a defect. */
export function parseBreaker(stored: StoredBreaker): Breaker {
  const { strategyId, kind, state, openedAt, fineSince } = stored
  const name = `the circuit breaker ${kind} of strategy ${strategyId} that is ${state}`
  assert(state === 'closed' || openedAt !== null, `${name} has opened`)
  assert(state !== 'recovering' || fineSince !== null, `${name} says since when`)
  return stored as Breaker
}

export const storedBreakerOf = (breaker: Breaker): StoredBreaker => ({
  ...breaker,
  acceptedMeasure: breaker.state === 'accepted' ? breaker.acceptedMeasure : null,
  fineSince: breaker.state === 'recovering' ? breaker.fineSince : null,
})

export function breakerFrom(row: Selectable<Schema['circuit_breakers']>): Breaker {
  return parseBreaker({
    organizationId: row.organization_id,
    strategyId: row.strategy_id,
    kind: row.kind,
    state: row.state,
    measure: row.measure,
    acceptedMeasure: row.accepted_measure,
    acceptedCode: row.accepted_code,
    observed: observedIn(row),
    openedAt: row.opened_at,
    fineSince: row.fine_since,
  })
}

/** A process of the previous version opens breakers and leaves what was announced before that. */
function observedIn(row: Selectable<Schema['circuit_breakers']>): BreakerObservation | null {
  const { observed_at: at, opened_at: openedAt, observed_measure: measure, observed_code: code } = row
  return at === null || openedAt === null || at < openedAt ? null : { measure, code, at }
}

/** A breaker that never opened. */
export const newBreaker = (key: Pick<Breaker, 'organizationId' | 'strategyId' | 'kind'>): BreakerIn<'closed'> => ({
  ...key,
  state: 'closed',
  measure: null,
  acceptedCode: null,
  observed: null,
  openedAt: null,
})

/** The text that stands for what was seen: a percentage, or the fingerprint of the code; `null`: nothing was announced. */
export function observationText(
  kind: BreakerKind,
  observed: Pick<BreakerObservation, 'measure' | 'code'> | null,
): string | null {
  if (observed === null) return null
  if (kind === 'upgrade') return observed.code
  return observed.measure === null ? null : (observed.measure / 100).toFixed(2)
}

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
