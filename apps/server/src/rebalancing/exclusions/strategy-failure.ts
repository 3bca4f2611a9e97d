import { addMilliseconds, REBALANCE_BACKOFF_MS, REBALANCE_TURN_KEPT_MS } from '../../kernel/index.ts'
import { kindOf, type MoveKind } from '../planner/plan-claims.ts'
import type { PastMove } from '../state/read-wallet-states.ts'

interface PlannedBefore {
  readonly pastMoves: readonly PastMove[]
  /** When its buffer or its switch was changed last. */
  readonly opWallet: { readonly updatedAt: Date }
}

type MoveEnd = Pick<PastMove, 'type' | 'state' | 'failureReason'>

/**
 * Whether the end of an operation says something about its strategy: it failed on the chain, an agent refused it, or a
 * withdrawal was aborted.
 */
export function isStrategyFailure({ type, state, failureReason }: MoveEnd): boolean {
  if (type === 'REVOKE') return false
  if (state === 'FAILED') return failureReason === 'ONCHAIN' || failureReason === 'SUBMISSION'
  return type === 'UNWIND' && state === 'ABORTED' && failureReason === 'ABORTED'
}

/**
 * The past moves without the withdrawals and claims that were aborted and planned before the settings changed: it is the
 * change that aborts them, which says nothing about their strategies. Pure.
 */
export function withoutReplaced({ pastMoves, opWallet }: PlannedBefore): readonly PastMove[] {
  return pastMoves.filter(
    (move) => !(isStrategyFailure(move) && move.state === 'ABORTED' && move.plannedAt <= opWallet.updatedAt),
  )
}

/**
 * The past moves without those that were aborted longer ago than any pause lasts, and that no check had refused: the buffer
 * was full again, or nobody approved or executed them. They say nothing about the next one. Nor do claims and evacuations
 * that ended before people decided about them, such as for a refill. Pure.
 */
export function withoutOldAborts(past: readonly PastMove[], now: Date): readonly PastMove[] {
  const recent = addMilliseconds(now, -REBALANCE_BACKOFF_MS.max)
  return past.filter((move) => !isUncheckedAbort(move) || (move.endedAt > recent && !gaveWay(move)))
}

/**
 * The past moves without the aborts of turns that are over: what the order of strategies goes by. Where several fail in
 * turn, an abort counts until all others had theirs, however long that takes: until nothing failed for longer than any pause
 * lasts, or a later move for the same purpose succeeded. Claims and evacuations that gave way had no turn. Pure.
 */
export function withoutAbortsOfOldTurns(past: readonly PastMove[], now: Date): readonly PastMove[] {
  const recent = addMilliseconds(now, -REBALANCE_TURN_KEPT_MS)
  const succeeded = new Set<string>()
  let next = now
  let isSameTurn = true
  return past.filter((move) => {
    const purpose = `${kindOf(move)} ${move.purpose}`
    if (move.state === 'COMPLETED') succeeded.add(purpose)
    if (!isStrategyFailure(move)) return true
    const isAbort = isUncheckedAbort(move)
    if (isAbort && gaveWay(move)) return false
    isSameTurn &&= move.endedAt > addMilliseconds(next, -REBALANCE_TURN_KEPT_MS)
    next = move.plannedAt
    return !isAbort || move.endedAt > recent || (isSameTurn && !succeeded.has(purpose))
  })
}

const isUncheckedAbort = ({ state, hasFailedChecks }: PastMove): boolean => state === 'ABORTED' && !hasFailedChecks

const gaveWay = ({ isUndecided, purpose }: PastMove): boolean =>
  isUndecided && (purpose === 'claim' || purpose === 'evacuation')

/** Whether an agent refused it. Such a refusal may be about the strategy, about the amount, or about the wallet. */
export const isAgentFailure = ({ type, state, failureReason }: MoveEnd): boolean =>
  type !== 'REVOKE' && state === 'FAILED' && failureReason === 'SUBMISSION'

/** The moves of one kind by strategy, newest first in each. */
export function movesByStrategy(past: readonly PastMove[], kind: MoveKind): ReadonlyMap<number, PastMove[]> {
  return Map.groupBy(
    past.filter((move) => kindOf(move) === kind),
    ({ strategyId }) => strategyId,
  )
}

/**
 * The failures of one strategy since it last carried out such a move, newest first. A rejection, or an aborted deployment,
 * says nothing about the strategy. Pure.
 */
export function failuresInARow(moves: readonly PastMove[]): readonly PastMove[] {
  const telling = moves.filter((move) => move.state === 'COMPLETED' || isStrategyFailure(move))
  const recovered = telling.findIndex(({ state }) => state === 'COMPLETED')
  return recovered === -1 ? telling : telling.slice(0, recovered)
}
