import { expect, test } from 'vitest'
import { pastMove } from '../../../testing/rebalancing/past-move.ts'
import type { PastMove } from '../state/read-wallet-states.ts'
import { isAfterFailure, recentlyFailedMoves } from './recently-failed-moves.ts'

const failed = (strategyId: number, of: Partial<PastMove> = {}) =>
  pastMove({ type: 'UNWIND', strategyId, state: 'FAILED', failureReason: 'SUBMISSION', ...of })
const done = (strategyId: number, of: Partial<PastMove> = {}) =>
  failed(strategyId, { state: 'COMPLETED', failureReason: null, ...of })
const as = (type: PastMove['type'], past: readonly PastMove[]) =>
  past.map((move): PastMove => ({ ...move, type, purpose: type === 'SUPPLY' ? 'deployment' : move.purpose }))

test('what failed longest ago comes first; withdrawals until their strategy pays, deposits until one succeeds', () => {
  const past = [failed(3), done(2), failed(2), failed(1)]
  expect(recentlyFailedMoves(past)).toEqual([
    { kind: 'UNWIND', strategyId: 1 },
    { kind: 'UNWIND', strategyId: 3 },
  ])
  expect(recentlyFailedMoves(as('SUPPLY', past))).toEqual([{ kind: 'SUPPLY', strategyId: 3 }])
})

test('a claim and a withdrawal of one strategy are two', () => {
  const past = [done(1), failed(1, { purpose: 'claim' })]
  expect(recentlyFailedMoves(past)).toEqual([{ kind: 'CLAIM', strategyId: 1 }])
})

test('a revocation ends no row of failures', () => {
  const revoked = pastMove({ type: 'REVOKE' })
  expect(isAfterFailure([revoked, failed(1)])).toBe(true)
  expect(isAfterFailure([done(1), failed(1)])).toBe(false)
  expect(isAfterFailure([])).toBe(false)
})
