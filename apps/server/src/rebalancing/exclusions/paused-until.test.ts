// Also tested elsewhere: with operations that people reject and agents refuse (rejected-moves.test.ts,
// agent-refusals.test.ts).
import { expect, test } from 'vitest'
import { pastMove } from '../../../testing/rebalancing/past-move.ts'
import { addMilliseconds } from '../../kernel/index.ts'
import type { PastMove } from '../state/read-wallet-states.ts'
import { pausedUntil } from './paused-until.ts'
import { rejectedUntil } from './rejections.ts'

const NOW = new Date('2026-06-01T12:00:00Z')
const HOUR = 3_600_000
const STRATEGIES = '1 active'
const ago = (ms: number) => addMilliseconds(NOW, -ms)

type End = Partial<PastMove> & { readonly agoMs: number }
const move = ({ agoMs, ...end }: End) => pastMove({ at: ago(agoMs), catalogueFingerprint: STRATEGIES, ...end })
const refused = (strategyId: number, agoMs: number, type: PastMove['type'] = 'UNWIND') =>
  move({ type, strategyId, state: 'FAILED', failureReason: 'SUBMISSION', agoMs })
const factsOf = (pastMoves: readonly PastMove[], updatedAt = ago(48 * HOUR)) => {
  return { pastMoves, policyChangedAt: null, opWallet: { updatedAt } }
}
const DEPLOYMENT = { type: 'SUPPLY', purpose: 'deployment', strategyId: 1 } as const
const REFILL = { type: 'UNWIND', purpose: 'refill', strategyId: 1 } as const
const paused = (next: Parameters<typeof pausedUntil>[1], ...past: PastMove[]) =>
  pausedUntil(factsOf(past), next, { catalogueFingerprint: STRATEGIES, now: NOW })?.until

test('a rejected deployment pauses deployments for a day and never a refill of the buffer', () => {
  const rejected = move({ state: 'REJECTED', agoMs: HOUR })
  expect(paused(DEPLOYMENT, rejected)).toEqual(addMilliseconds(NOW, 23 * HOUR))
  expect(paused(REFILL, rejected)).toBeUndefined()
})

test('an unwind in between does not lift the pause after a rejected deployment', () => {
  const past = [move({ type: 'UNWIND', agoMs: HOUR }), move({ state: 'REJECTED', agoMs: 2 * HOUR })]
  expect(paused(DEPLOYMENT, ...past)).toEqual(addMilliseconds(NOW, 22 * HOUR))
})

test('a rejected evacuation or claim pauses the same of that strategy, and nothing else', () => {
  for (const purpose of ['evacuation', 'claim'] as const) {
    const facts = factsOf([move({ type: 'UNWIND', purpose, strategyId: 1, state: 'REJECTED', agoMs: HOUR })])
    const until = (strategyId: number, of: typeof purpose | 'refill' = purpose, since?: Date) =>
      rejectedUntil(facts, { purpose: of, strategyId }, { catalogueFingerprint: STRATEGIES, now: NOW, since })
    expect(until(1)).toEqual(addMilliseconds(NOW, 23 * HOUR))
    expect(until(2)).toBeUndefined()
    expect(until(1, 'refill')).toBeUndefined()
    expect(until(1, purpose, ago(HOUR / 2)), 'another breaker opened since').toBeUndefined()
  }
})

test('a rejected refill pauses refills from every strategy, and neither evacuations nor claims', () => {
  const rejected = move({ type: 'UNWIND', strategyId: 1, state: 'REJECTED', agoMs: HOUR })
  expect(paused({ ...REFILL, strategyId: 2 }, rejected)).toEqual(addMilliseconds(NOW, 23 * HOUR))
  expect(paused({ ...REFILL, purpose: 'evacuation' }, rejected)).toBeUndefined()
  expect(paused({ ...REFILL, purpose: 'claim' }, rejected)).toBeUndefined()
})

test('consecutive failures of the wallet are counted per kind of move', () => {
  const aborted = (agoMs: number) => move({ state: 'ABORTED', failureReason: 'ABORTED', agoMs })
  const past = [aborted(10_000), move({ type: 'UNWIND', agoMs: 15_000 }), aborted(40_000)]
  expect(paused(DEPLOYMENT, ...past)).toEqual(addMilliseconds(NOW, 50_000))
  expect(paused(REFILL, ...past)).toBeUndefined()
})

test('what agents refuse of one strategy pauses no other; of several in a row it pauses the wallet for longer each time', () => {
  expect(paused(REFILL, refused(1, 1_000), refused(1, 60_000), refused(1, 200_000))).toBeUndefined()
  expect(paused(REFILL, refused(2, 10_000), refused(1, 20_000))).toEqual(addMilliseconds(NOW, 20_000))
  const three = [refused(3, 10_000), refused(2, 50_000), refused(1, 60_000)]
  expect(paused(REFILL, ...three)).toEqual(addMilliseconds(NOW, 50_000))
  const many = Array.from({ length: 12 }, (_, index) => refused(1 + (index % 3), (index + 1) * 1_000))
  expect(paused(REFILL, ...many)).toEqual(addMilliseconds(NOW, HOUR - 1_000))
  expect(paused(DEPLOYMENT, ...three)).toBeUndefined()
})

test('a move that reached the chain, or a change of the settings, ends the row; rejections and aborts do not', () => {
  const row = (between: PastMove) => [refused(2, 10_000), between, refused(1, 30_000)]
  const on = (end: Partial<PastMove>) => move({ type: 'UNWIND', strategyId: 3, agoMs: 20_000, ...end })
  expect(paused(REFILL, ...row(on({})))).toBeUndefined()
  expect(paused(REFILL, ...row(on({ state: 'FAILED', failureReason: 'ONCHAIN' })))).toBeUndefined()
  expect(paused(REFILL, ...row(on({ state: 'ABORTED', failureReason: 'ABORTED' })))).toBeDefined()
  const rejected = on({ purpose: 'claim', state: 'REJECTED', failureReason: 'REJECTED' })
  expect(paused(REFILL, ...row(rejected))).toBeDefined()
  const changed = factsOf([refused(2, 10_000), refused(1, 30_000)], ago(20_000))
  expect(pausedUntil(changed, REFILL, { catalogueFingerprint: STRATEGIES, now: NOW })).toBeUndefined()
})
