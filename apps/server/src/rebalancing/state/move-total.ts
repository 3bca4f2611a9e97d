import type { PlannedMove } from '../planner/plan-claims.ts'
import type { PastMove } from './read-wallet-states.ts'

/** The total of a move that has several parts, and what follows the part planned now. Base units. */
export interface MoveTotal {
  readonly total: bigint
  readonly remaining: bigint
}

/**
 * Parts of a move are planned one after another, each after the previous one completed. The approval policy judges
 * every part by the total (contract 7): a part that follows a completed one belongs to the same move, and an amount
 * that was added since then increases the total. Pure.
 */
export function moveTotalOf(moves: readonly PlannedMove[], past: readonly PastMove[]): MoveTotal {
  const [first] = moves
  if (!first) return { total: 0n, remaining: 0n }
  const planned = moves.reduce((sum, { worth }) => sum + worth, 0n)
  const remaining = planned - first.worth
  const before = past.find(({ type, purpose }) => type === first.type && purpose === first.purpose)
  if (before?.state !== 'COMPLETED' || before.remaining === 0n) return { total: planned, remaining }
  const more = planned > before.remaining ? planned - before.remaining : 0n
  return { total: before.total + more, remaining }
}
