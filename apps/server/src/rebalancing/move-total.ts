import type { PlannedMove } from './planner.ts'
import type { PastMove } from './read-wallet-states.ts'

/** How much a move of several parts is in all, and how much of it follows the part that is planned now. Base units. */
export interface MoveTotal {
  readonly total: bigint
  readonly remaining: bigint
}

/**
 * Parts are planned one after the other, each when the one before it is done, and the approval policy judges every one
 * of them by the sum (contract 7): what follows a part that was carried out belongs to the same move, and what came on
 * top since then adds to it. Pure.
 */
export function moveTotalOf(moves: readonly PlannedMove[], past: readonly PastMove[]): MoveTotal {
  const [first] = moves
  if (!first) return { total: 0n, remaining: 0n }
  const planned = moves.reduce((sum, { worth }) => sum + worth, 0n)
  const remaining = planned - first.worth
  const before = past.find(({ type }) => type === first.type)
  if (before?.state !== 'COMPLETED' || before.remaining === 0n) return { total: planned, remaining }
  const more = planned > before.remaining ? planned - before.remaining : 0n
  return { total: before.total + more, remaining }
}
