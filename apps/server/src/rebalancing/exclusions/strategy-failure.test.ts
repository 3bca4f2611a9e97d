import { expect, test } from 'vitest'
import { pastMove } from '../../../testing/rebalancing/past-move.ts'
import { addMilliseconds, REBALANCE_TURN_KEPT_MS } from '../../kernel/index.ts'
import type { PastMove } from '../state/read-wallet-states.ts'
import { withoutAbortsOfOldTurns } from './strategy-failure.ts'

const NOW = new Date('2026-06-01T00:00:00Z')
const MINUTE = 60_000

/** A withdrawal that took half an hour and ended so long ago. */
function ended(agoMs: number, change: Partial<PastMove> = {}): PastMove {
  const endedAt = addMilliseconds(NOW, -agoMs)
  const plannedAt = addMilliseconds(endedAt, -30 * MINUTE)
  return pastMove({ type: 'UNWIND', state: 'ABORTED', failureReason: 'ABORTED', plannedAt, endedAt, ...change })
}

const kept = (past: readonly PastMove[]) => withoutAbortsOfOldTurns(past, NOW).map((move) => past.indexOf(move))

test('an abort keeps its turn while other moves fail after it, however long ago it was', () => {
  const inTurn = [1, 2, 3, 4, 5, 6].map((half) => ended(half * 90 * MINUTE))
  expect(kept(inTurn)).toEqual([0, 1, 2, 3, 4, 5])
})

test('an abort that no failure followed is forgotten, and what came before it', () => {
  expect(kept([ended(REBALANCE_TURN_KEPT_MS - 1)])).toEqual([0])
  expect(kept([ended(REBALANCE_TURN_KEPT_MS), ended(REBALANCE_TURN_KEPT_MS + 60 * MINUTE)])).toEqual([])
})

const PAID = { state: 'COMPLETED', failureReason: null } as const
const REVERTED = { state: 'FAILED', failureReason: 'ONCHAIN' } as const

test('an abort of yesterday is forgotten although a move failed soon after it', () => {
  const day = 24 * 60 * MINUTE
  expect(kept([ended(day - 60 * MINUTE, REVERTED), ended(day)])).toEqual([0])
})

test('once a later move for the same purpose succeeded, the turn is over, and for another purpose it is not', () => {
  const failures = [ended(60 * MINUTE), ended(150 * MINUTE)]
  expect(kept([ended(MINUTE, PAID), ...failures])).toEqual([0, 1])
  expect(kept([ended(MINUTE, { ...PAID, purpose: 'evacuation' }), ...failures])).toEqual([0, 1, 2])
})

test('right after it an abort gives way, whatever succeeded since', () => {
  expect(kept([ended(MINUTE, PAID), ended(60 * MINUTE)])).toEqual([0, 1])
})

test('what failed on the chain, or was refused by checks, is never forgotten', () => {
  const reverted = ended(10 * REBALANCE_TURN_KEPT_MS, REVERTED)
  expect(kept([reverted, ended(20 * REBALANCE_TURN_KEPT_MS, { hasFailedChecks: true })])).toEqual([0, 1])
})

test('a claim that gave way has had no turn', () => {
  expect(kept([ended(MINUTE, { isUndecided: true, purpose: 'claim' })])).toEqual([])
})
