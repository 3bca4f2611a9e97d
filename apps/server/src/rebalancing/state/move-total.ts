import type { MovePurpose } from '../../database/index.ts'
import type { PlannedMove } from '../planner/plan-claims.ts'
import type { RebalancePlan } from '../planner/rebalance-plan.ts'
import type { PastMove } from './read-wallet-states.ts'

/** The total of a move that has several parts, and what follows the part planned now. Base units. */
export interface MoveTotal {
  readonly total: bigint
  readonly remaining: bigint
}

/** One is planned only when the other is complete. */
const OPPOSITE: Partial<Record<MovePurpose, MovePurpose>> = { refill: 'deployment', deployment: 'refill' }

/**
 * Parts of a move are planned one after another, each after the previous one completed. The approval policy judges
 * every part by the total (contract 7): what strategies can take or pay only later counts too, however small the parts
 * are in which they do. A part that follows a completed one with something left belongs to the same move, whatever did
 * not complete in between, and an amount that was added since then increases the total. Pure.
 */
export function moveTotalOf(
  { moves, later }: Pick<RebalancePlan, 'moves' | 'later'>,
  past: readonly PastMove[],
): MoveTotal {
  const [first] = moves
  if (!first) return { total: 0n, remaining: 0n }
  const whole = moves.reduce((sum, { worth }) => sum + worth, later)
  const remaining = whole - first.worth
  const before = lastPartOf(first, past)
  if (!before || before.remaining === 0n) return { total: whole, remaining }
  const more = whole > before.remaining ? whole - before.remaining : 0n
  return { total: before.total + more, remaining }
}

function lastPartOf({ type, purpose }: PlannedMove, past: readonly PastMove[]): PastMove | undefined {
  const last = past.find(
    (move) =>
      move.purpose === OPPOSITE[purpose] ||
      (move.type === type && move.purpose === purpose && move.state === 'COMPLETED'),
  )
  return last?.purpose === purpose ? last : undefined
}
