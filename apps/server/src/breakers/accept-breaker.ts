import { type BreakerKind, type Database, emit, type Transact, transactOn } from '../database/index.ts'
import { type Clock, Failure } from '../kernel/index.ts'
import { strategyById } from '../venues/index.ts'
import { scheduleOrganizationEvaluations } from '../wallets/index.ts'
import { advanceBreaker } from './advance-breaker.ts'
import { type Breaker, type BreakerObservation, observationText } from './breaker.ts'
import { breakerEvent } from './breaker-event.ts'
import { BREAKER } from './breaker-states.ts'
import { lockSettings, readBreakersOf } from './evaluate-breakers.ts'
import { judgeBreaker, measureOf } from './judge-breaker.ts'
import { readBreakerFacts, type StrategyFacts } from './read-breaker-facts.ts'
import type { NamedBreaker } from './read-breakers.ts'

export interface AcceptBreakerInput {
  readonly organizationId: number
  readonly strategyId: number
  readonly kind: BreakerKind
  /** As {@link observationText}, what the person saw; absent: what the breaker announced last. */
  readonly observation?: string | undefined
  /** When the person requested it, if others approved it since. None of them saw what was announced later. */
  readonly requestedAt?: Date | undefined
}

/**
 * A person accepts the fact behind an open breaker that they saw: deposits continue, until the fact gets worse by as much as
 * the threshold again, or other code appears; for liquidity, until it was fine once and then falls again. Errors:
 * STRATEGY_NOT_FOUND; CONFLICT with `details.reason` `breaker_not_open`, or `observation_differs` when the fact is
 * another one, including one that was not announced yet.
 */
export async function acceptBreaker(
  parts: { readonly db: Database; readonly clock: Clock },
  input: AcceptBreakerInput,
  transact: Transact<NamedBreaker> = transactOn(parts.db),
): Promise<NamedBreaker> {
  const { organizationId, strategyId, kind } = input
  const strategy = await strategyById(parts.db, strategyId)
  if (!strategy) throw new Failure('STRATEGY_NOT_FOUND')
  return await transact(async (tx) => {
    const at = parts.clock.now()
    const settings = await lockSettings(tx, organizationId)
    const breakers = await readBreakersOf(tx, organizationId)
    const breaker = breakers.find((one) => one.strategyId === strategyId && one.kind === kind)
    if (!settings || !breaker || !BREAKER.find(breaker.state, 'accepted'))
      throw new Failure('CONFLICT', {
        message: 'This circuit breaker is not open.',
        details: { reason: 'breaker_not_open' },
      })
    const facts = (await readBreakerFacts(tx, [organizationId], at)).find((one) => one.strategyId === strategyId)
    const isNews = facts !== undefined && judgeBreaker(breaker, settings, facts, at)?.event === 'worsened'
    const present = isNews ? { measure: measureOf(breaker, facts), code: facts.code, at } : breaker.observed
    requireSeen(breaker, present, input)
    const accepted = acceptedOf({ ...breaker, observed: present }, facts)
    const moved = await advanceBreaker(tx, breaker, { event: 'accepted', ...accepted, at })
    await emit(tx, moved.emits ? [breakerEvent(moved.breaker, moved.emits, { strategy: strategy.name, at })] : [])
    await scheduleOrganizationEvaluations(tx, organizationId, at)
    return { ...moved.breaker, strategyName: strategy.name }
  })
}

/** Refuses to accept a fact that the person did not see. `present`: what was announced, or is about to be. */
function requireSeen(
  { kind, observed }: Breaker,
  present: BreakerObservation | null,
  { observation, requestedAt }: AcceptBreakerInput,
): void {
  const there = observationText(kind, present)
  const isSeen =
    observation === undefined
      ? present === observed && !(requestedAt && observed && observed.at > requestedAt)
      : observation === there
  if (isSeen) return
  throw new Failure('CONFLICT', {
    message: 'This circuit breaker stops deposits for a different fact than the one you saw.',
    details: { reason: 'observation_differs', observation: there },
  })
}

/** The observation that was shown, or the current one if it is better. Code that is known needs no acceptance. */
function acceptedOf(breaker: Breaker, facts: StrategyFacts | undefined) {
  const { kind, observed, acceptedCode } = breaker
  const now = (facts && measureOf(breaker, facts)) ?? null
  if (kind === 'upgrade') {
    const isSeen = breaker.state === 'open' && facts?.code !== acceptedCode
    return { measure: null, code: isSeen ? (observed?.code ?? null) : null }
  }
  const measures = [observed?.measure ?? null, now].filter((one) => one !== null)
  const lessBad = kind === 'illiquidity' ? Math.max : Math.min
  return { measure: measures.length === 0 ? breaker.measure : lessBad(...measures), code: null }
}
