import type { NewEvent } from '../database/index.ts'
import { type Breaker, breakerReason, observationText } from './breaker.ts'
import type { BreakerNotice } from './breaker-states.ts'

/** The event of a breaker that opened or closed. It belongs to the organization and to no wallet. */
export function breakerEvent(
  breaker: Breaker,
  event: BreakerNotice,
  { strategy, at }: { readonly strategy: string; readonly at: Date },
): NewEvent {
  const { organizationId, strategyId, kind, state, measure, observed } = breaker
  return {
    organizationId,
    event,
    objectType: 'strategy',
    objectId: strategyId,
    data: {
      strategyId,
      strategy,
      breaker: kind,
      state,
      measure: measure === null ? null : (measure / 100).toFixed(2),
      observation: observationText(kind, observed),
      ...(event === 'strategy.breaker_opened' && { reason: breakerReason(breaker) }),
    },
    at,
  }
}
