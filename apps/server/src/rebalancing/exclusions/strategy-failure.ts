import { kindOf, type MoveKind } from '../planner/plan-claims.ts'
import type { PastMove } from '../state/read-wallet-states.ts'

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
