import { minAmount } from '../../kernel/index.ts'
import {
  type AwaitedOfPosition,
  noteOf,
  payableNow,
  requestable,
  type StrategyPosition,
  sourceOf,
  unwindOf,
} from './payable-positions.ts'
import type { PlannedMove } from './plan-claims.ts'
import type { PlannedWithdrawals, PlannerInput } from './rebalance-plan.ts'

/**
 * Withdraws what somebody requested of positions that could not pay it at once, as far as they can pay it now. It goes
 * before what the rebalancer withdraws of its own: the rest of an evacuation follows as Weir's own move.
 */
export function planRequested({ holdings, exits, dust }: PlannerInput): PlannedWithdrawals {
  const waiting = holdings.flatMap((position) => {
    const awaited = awaitedOf(position)
    if (!awaited) return []
    // The rebalancer's own pauses do not concern it.
    const holding = { ...position, excluded: awaited.excluded }
    const payable = payableNow(holding, dust) || requestable(holding, { exits, dust })
    return [{ holding, payable, awaited, worth: minAmount(awaited.rest, payable) }]
  })
  const moves = waiting
    .filter(({ awaited, worth }) => worth > 0n && (worth >= dust || worth === awaited.rest))
    .map(({ holding, awaited: { awaitedId }, worth }): PlannedMove => {
      const why = 'The withdrawal was requested, and the strategy can pay it now.'
      return { ...unwindOf(holding, { worth, purpose: 'requested', why }), awaitedId }
    })
  const stuck = waiting.filter(({ awaited, worth }) => worth < awaited.rest)
  return {
    moves,
    awaited: stuck.reduce((sum, { awaited, worth }) => sum + awaited.rest - worth, 0n),
    sources: waiting.map(sourceOf),
    notes: stuck.map(({ holding }) => noteOf(holding)),
  }
}

/** What a position is to pay of a requested withdrawal; `undefined`: nothing. */
export function awaitedOf({
  awaited,
  value,
}: Pick<StrategyPosition, 'awaited' | 'value'>): AwaitedOfPosition | undefined {
  if (awaited === undefined || awaited.rest === 0n || value === 0n) return undefined
  return { ...awaited, rest: minAmount(awaited.rest, value) }
}
