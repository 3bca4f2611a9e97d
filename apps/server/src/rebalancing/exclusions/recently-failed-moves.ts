import { kindOf, type MoveKind } from '../planner/plan-claims.ts'
import type { PastMove } from '../state/read-wallet-states.ts'
import { failuresInARow, isStrategyFailure, movesByStrategy } from './strategy-failure.ts'

/** A strategy whose last move of a kind failed. */
export interface RecentlyFailedMove {
  readonly kind: MoveKind
  readonly strategyId: number
}

/**
 * The moves that are tried after all others, longest ago first: otherwise some that fail in turn could be tried again and
 * again, each after its pause, and one that would succeed never. Withdrawals and claims stay among them until their
 * strategy pays: which one pays matters less than that one does. Deposits until any deposit succeeds: then the best
 * strategy is tried first again. Pure.
 */
export function recentlyFailedMoves(past: readonly PastMove[]): readonly RecentlyFailedMove[] {
  const found = (['CLAIM', 'UNWIND', 'SUPPLY'] as const).flatMap((kind) =>
    [...movesByStrategy(sinceSuccess(past, kind), kind)].flatMap(([strategyId, moves]) =>
      failuresInARow(moves)
        .slice(0, 1)
        .map((last) => ({ kind, strategyId, turn: past.indexOf(last) })),
    ),
  )
  return found.toSorted((a, b) => b.turn - a.turn).map(({ kind, strategyId }) => ({ kind, strategyId }))
}

function sinceSuccess(past: readonly PastMove[], kind: MoveKind): readonly PastMove[] {
  if (kind !== 'SUPPLY') return past
  const succeeded = past.findIndex((move) => kindOf(move) === kind && move.state === 'COMPLETED')
  return succeeded === -1 ? past : past.slice(0, succeeded)
}

/** Whether the wallet's last move failed: then another one has its turn, even of another kind. */
export function isAfterFailure(past: readonly PastMove[]): boolean {
  const last = past.find(({ type }) => type !== 'REVOKE')
  return last !== undefined && isStrategyFailure(last)
}
