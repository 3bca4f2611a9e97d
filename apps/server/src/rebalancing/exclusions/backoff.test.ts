import { expect, test } from 'vitest'
import { addMilliseconds } from '../../kernel/index.ts'
import type { PastMove } from '../state/read-wallet-states.ts'
import { pausedUntil } from './backoff.ts'

const NOW = new Date('2026-06-01T12:00:00Z')
const HOUR = 3_600_000
const STRATEGIES = '1 active'

const move = (type: PastMove['type'], state: PastMove['state'], agoMs: number): PastMove => ({
  type,
  strategyId: 1,
  state,
  failureReason: null,
  plannedAt: addMilliseconds(NOW, -agoMs),
  endedAt: addMilliseconds(NOW, -agoMs),
  catalogueFingerprint: STRATEGIES,
  total: 0n,
  remaining: 0n,
})
const paused = (type: PastMove['type'], ...pastMoves: PastMove[]) =>
  pausedUntil(
    { pastMoves, policyChangedAt: null, opWallet: { updatedAt: addMilliseconds(NOW, -48 * HOUR) } },
    type,
    STRATEGIES,
    NOW,
  )

test('a rejected deployment pauses deployments for a day and never a refill of the buffer', () => {
  const rejected = move('SUPPLY', 'REJECTED', HOUR)
  expect(paused('SUPPLY', rejected)).toEqual(addMilliseconds(NOW, 23 * HOUR))
  expect(paused('UNWIND', rejected)).toBeUndefined()
})

test('an unwind in between does not lift the pause after a rejected deployment', () => {
  const past = [move('UNWIND', 'COMPLETED', HOUR), move('SUPPLY', 'REJECTED', 2 * HOUR)]
  expect(paused('SUPPLY', ...past)).toEqual(addMilliseconds(NOW, 22 * HOUR))
})

test('consecutive failures are counted per kind of move', () => {
  const past = [move('UNWIND', 'FAILED', 10_000), move('SUPPLY', 'FAILED', 20_000), move('UNWIND', 'FAILED', 90_000)]
  expect(paused('UNWIND', ...past)).toEqual(addMilliseconds(NOW, 50_000))
  expect(paused('SUPPLY', ...past)).toEqual(addMilliseconds(NOW, 10_000))
})
