// Also tested elsewhere: refusals that are stored (refused-moves.test.ts).
import { expect, test } from 'vitest'
import { pastMove } from '../../../testing/rebalancing/past-move.ts'
import { addMilliseconds } from '../../kernel/index.ts'
import type { AwaitedWithdrawal } from '../awaited/awaited-withdrawal.ts'
import type { PastMove, RefusedMove } from '../state/read-wallet-states.ts'
import { alsoExcluding, excludedStrategiesOf } from './excluded-strategies.ts'

const NOW = new Date('2026-06-01T12:00:00Z')
const ago = (ms: number) => addMilliseconds(NOW, -ms)
type End = Partial<PastMove> & { readonly agoMs: number }
const failed = ({ agoMs, ...end }: End) =>
  pastMove({ at: ago(agoMs), type: 'UNWIND', state: 'FAILED', failureReason: 'SUBMISSION', amount: 100n, ...end })
const done = (end: End) => failed({ state: 'COMPLETED', failureReason: null, ...end })

interface More {
  readonly updatedAt?: Date
  readonly refused?: readonly RefusedMove[]
  readonly awaited?: readonly AwaitedWithdrawal[]
}

function excludedOf(pastMoves: readonly PastMove[], { updatedAt = ago(1e9), refused = [], awaited = [] }: More = {}) {
  return excludedStrategiesOf({ pastMoves, refused, awaited, opWallet: { updatedAt } }, NOW)
}

test.each([
  ['an agent refused', { type: 'UNWIND', state: 'FAILED', failureReason: 'SUBMISSION' }, true],
  ['an agent refused', { type: 'SUPPLY', state: 'FAILED', failureReason: 'SUBMISSION' }, true],
  ['reverted on the chain', { type: 'SUPPLY', state: 'FAILED', failureReason: 'ONCHAIN' }, true],
  ['was aborted', { type: 'UNWIND', state: 'ABORTED', failureReason: 'ABORTED' }, true],
  ['was aborted', { type: 'SUPPLY', state: 'ABORTED', failureReason: 'ABORTED' }, false],
  ['a person rejected', { type: 'UNWIND', state: 'REJECTED', failureReason: 'REJECTED' }, false],
] as const)('what %s leaves out its strategy, for that kind of move: %j %s', (_, end, isOut) => {
  const excluded = excludedOf([failed({ ...end, agoMs: 1_000 })])
  expect(excluded.reasonFor(end.type, 1) !== null).toBe(isOut)
  expect(excluded.reasonFor(end.type, 2)).toBeNull()
  expect(excluded.reasonFor(end.type === 'SUPPLY' ? 'UNWIND' : 'SUPPLY', 1)).toBeNull()
})

test('each failure in a row doubles the pause; a rejection in between neither counts nor ends the row', () => {
  const rejected = pastMove({ at: ago(2_000), type: 'UNWIND', state: 'REJECTED', failureReason: 'REJECTED' })
  const row = [failed({ agoMs: 1_000 }), rejected, failed({ agoMs: 50_000 })]
  expect(excludedOf(row).nextRetry('UNWIND')).toEqual(addMilliseconds(ago(1_000), 60_000))
  expect(
    excludedOf([failed({ agoMs: 1_000 }), done({ agoMs: 2_000 }), failed({ agoMs: 3_000 })]).nextRetry('UNWIND'),
  ).toEqual(addMilliseconds(ago(1_000), 30_000))
})

test('a change of the settings lifts what an agent or an abort left out, and not what reverted', () => {
  const changed = { updatedAt: ago(500) }
  const of = (end: Partial<PastMove>) => excludedOf([failed({ agoMs: 1_000, ...end })], changed).reasonFor('UNWIND', 1)
  expect(of({})).toBeNull()
  expect(of({ state: 'ABORTED', failureReason: 'ABORTED' })).toBeNull()
  expect(of({ failureReason: 'ONCHAIN' })).not.toBeNull()
})

test('an awaited withdrawal whose operations fail leaves its strategy out, longer each time', () => {
  const awaiting = (failures: number, lastEndedAt?: Date) =>
    excludedOf([], { awaited: [{ strategyId: 1, failures, lastEndedAt } as AwaitedWithdrawal] })
  expect(awaiting(0).reasonFor('UNWIND', 1)).toBeNull()
  expect(awaiting(0, ago(1_000)).reasonFor('UNWIND', 1)).toBeNull()
  const twice = awaiting(2, ago(1_000))
  expect(twice.reasonForRequested(1)).not.toBeNull()
  expect(twice.reasonFor('SUPPLY', 1)).toBeNull()
  expect(twice.nextRetry('UNWIND')).toEqual(addMilliseconds(ago(1_000), 60_000))
  expect(awaiting(1, ago(30_000)).reasonForRequested(1)).toBeNull()
})

test('what only the rebalancer’s own moves leave out does not concern a requested withdrawal; a refusal does', () => {
  const paused = (past: readonly PastMove[]) => alsoExcluding(excludedOf(past), () => true, 'such moves pause')
  expect(paused([]).reasonFor('UNWIND', 1)).toBe('such moves pause')
  expect(paused([]).reasonForRequested(1)).toBeNull()
  const failing = paused([failed({ agoMs: 1_000 })])
  expect(failing.reasonForRequested(1)).toContain('its last move failed')
  expect(failing.reasonForRequested(2)).toBeNull()
})

test('half of what was refused last is asked for, for a day, and where the refusal was about an amount', () => {
  const most = (...past: PastMove[]) => excludedOf(past).askAtMost(1)
  expect(most(failed({ agoMs: 1_000 }))).toBe(50n)
  expect(most(failed({ agoMs: 1_000, amount: 50n }), failed({ agoMs: 2_000 }))).toBe(25n)
  expect(most(failed({ agoMs: 1_000, failureReason: 'ONCHAIN', isReverted: true }))).toBe(50n)
  expect(most(failed({ agoMs: 1_000, failureReason: 'ONCHAIN' })), 'it never ran').toBeUndefined()
  expect(most(failed({ agoMs: 1_000, purpose: 'claim' }))).toBeUndefined()
  expect(most(failed({ agoMs: 1_000, type: 'SUPPLY' }))).toBeUndefined()
  expect(most(done({ agoMs: 500, amount: 50n }), failed({ agoMs: 1_000 })), 'the next part').toBe(50n)
  expect(most(done({ agoMs: 500 }), failed({ agoMs: 3_600_000 })), 'it paid since').toBeUndefined()
  const landedLate = done({ agoMs: 500, failureReason: 'SUBMISSION' })
  expect(most(landedLate), 'it was carried out after all').toBeUndefined()
  expect(most(failed({ agoMs: 86_400_000 }))).toBeUndefined()
  expect(excludedOf([failed({ agoMs: 1_000 })]).askAtMost(2)).toBeUndefined()
})

test('what planning refused counts where it is later', () => {
  const refusal = (agoMs: number): RefusedMove => {
    const refusedAt = ago(agoMs)
    return { kind: 'UNWIND', strategyId: 1, code: '', message: '', amount: 60n, refusedAt, failures: 1, until: NOW }
  }
  const past = [failed({ agoMs: 1_000 })]
  expect(excludedOf(past, { refused: [refusal(500)] }).askAtMost(1)).toBe(30n)
  expect(excludedOf(past, { refused: [refusal(2_000)] }).askAtMost(1)).toBe(50n)
})
