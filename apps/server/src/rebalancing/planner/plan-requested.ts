import { minAmount } from '../../kernel/index.ts'
import { largestFirst } from './crumbs.ts'
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
 * before what the rebalancer withdraws of its own: the rest of an evacuation follows as Weir's own move. What ends such a
 * withdrawal goes first, then the largest: a strategy may pay bit by bit. `endsOne`: a move does.
 */
export function planRequested({
  holdings,
  exits,
  dust,
}: PlannerInput): PlannedWithdrawals & { readonly endsOne: boolean } {
  const waiting = holdings.flatMap((position) => {
    const awaited = awaitedOf(position)
    if (!awaited) return []
    // The rebalancer's own pauses do not concern it.
    const holding = { ...position, excluded: awaited.excluded }
    const payable = payableNow(holding, dust) || requestable(holding, { exits, dust })
    return [{ holding, payable, awaited, worth: minAmount(awaited.rest, payable) }]
  })
  const isEnd = ({ awaited, worth }: (typeof waiting)[number]) => worth === awaited.rest
  const payable = waiting.filter((one) => one.worth > 0n && (one.worth >= dust || isEnd(one)))
  const ends = payable.filter(isEnd)
  const parts = payable.filter((one) => !isEnd(one))
  const inTurn = [...ends, ...largestFirst(parts, 'worth')]
  const moves = inTurn.map(({ holding, worth, awaited: { awaitedId } }): PlannedMove => {
    const why = 'The withdrawal was requested, and the strategy can pay it now.'
    return { ...unwindOf(holding, { worth, purpose: 'requested', why }), awaitedId }
  })
  const stuck = waiting.filter(({ awaited, worth }) => worth < awaited.rest)
  const left = stuck.reduce((sum, { awaited, worth }) => sum + awaited.rest - worth, 0n)
  return {
    moves,
    endsOne: ends.length > 0,
    awaited: left,
    later: left,
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
