import type { PlannedMove } from './planner.ts'
import type { PastMove } from './read-page.ts'

/** How much a move of several parts is in all, and how much of it follows the part that is planned now. Base units. */
export interface Extent {
  readonly whole: bigint
  readonly rest: bigint
}

/**
 * Parts are planned one after the other, each when the one before it is done, and the approval policy judges every one
 * of them by the sum (decisions 7): what follows a part that was carried out belongs to the same move, and what came on
 * top since then adds to it. Pure.
 */
export function extentOf(moves: readonly PlannedMove[], past: readonly PastMove[]): Extent {
  const [first] = moves
  if (!first) return { whole: 0n, rest: 0n }
  const planned = moves.reduce((sum, { worth }) => sum + worth, 0n)
  const rest = planned - first.worth
  const before = past.find(({ type }) => type === first.type)
  if (before?.state !== 'COMPLETED' || before.rest === 0n) return { whole: planned, rest }
  const more = planned > before.rest ? planned - before.rest : 0n
  return { whole: before.whole + more, rest }
}
