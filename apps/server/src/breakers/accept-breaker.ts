import { type BreakerKind, type Database, emit, type Transact, transactOn } from '../database/index.ts'
import { type Clock, Failure } from '../kernel/index.ts'
import { strategyById } from '../venues/index.ts'
import { scheduleOrganizationEvaluations } from '../wallets/index.ts'
import { advanceBreaker } from './advance-breaker.ts'
import { breakerEvent } from './breaker-event.ts'
import { BREAKER } from './breaker-states.ts'
import { lockSettings, readBreakersOf } from './evaluate-breakers.ts'
import { measureOf } from './judge-breaker.ts'
import { readBreakerFacts } from './read-breaker-facts.ts'
import type { NamedBreaker } from './read-breakers.ts'

export interface AcceptBreakerInput {
  readonly organizationId: number
  readonly strategyId: number
  readonly kind: BreakerKind
}

/**
 * A person accepts the fact behind an open breaker: deposits go on, until the fact gets worse by as much as the
 * threshold again, or other code appears; for liquidity, until it was fine once and then falls again. Errors:
 * STRATEGY_NOT_FOUND; CONFLICT with `details.reason` `breaker_not_open`.
 */
export async function acceptBreaker(
  parts: { readonly db: Database; readonly clock: Clock },
  { organizationId, strategyId, kind }: AcceptBreakerInput,
  transact: Transact<NamedBreaker> = transactOn(parts.db),
): Promise<NamedBreaker> {
  const strategy = await strategyById(parts.db, strategyId)
  if (!strategy) throw new Failure('STRATEGY_NOT_FOUND')
  return await transact(async (tx) => {
    const at = parts.clock.now()
    await lockSettings(tx, organizationId)
    const breakers = await readBreakersOf(tx, organizationId)
    const breaker = breakers.find((one) => one.strategyId === strategyId && one.kind === kind)
    if (!breaker || !BREAKER.find(breaker.state, 'accepted'))
      throw new Failure('CONFLICT', {
        message: 'This circuit breaker is not open.',
        details: { reason: 'breaker_not_open' },
      })
    // What is accepted is what is known now: it may have become worse since the breaker opened.
    const facts = (await readBreakerFacts(tx, [organizationId], at)).find((one) => one.strategyId === strategyId)
    const measure = (facts && measureOf(breaker, facts)) ?? breaker.measure
    const moved = await advanceBreaker(tx, breaker, { event: 'accepted', measure, code: facts?.code ?? null, at })
    await emit(tx, moved.emits ? [breakerEvent(moved.breaker, moved.emits, { strategy: strategy.name, at })] : [])
    await scheduleOrganizationEvaluations(tx, organizationId, at)
    return { ...moved.breaker, strategyName: strategy.name }
  })
}
