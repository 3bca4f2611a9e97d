// Also tested elsewhere: with strategies that pay or take a part at a time, and agents that refuse (move-parts.test.ts).
import { expect, test } from 'vitest'
import { pastMove } from '../../../testing/rebalancing/past-move.ts'
import type { PlannedMove } from '../planner/plan-claims.ts'
import { moveTotalOf } from './move-total.ts'
import type { PastMove } from './read-wallet-states.ts'

const part = (worth: bigint, type: PlannedMove['type'] = 'SUPPLY'): PlannedMove => {
  return { type, strategyId: 1, strategyName: 'Vault', amount: worth, worth, purpose: 'deployment', why: '' }
}
const refill = (worth: bigint): PlannedMove => ({ ...part(worth, 'UNWIND'), purpose: 'refill' })
const done = (total: bigint, remaining: bigint, state: PastMove['state'] = 'COMPLETED') =>
  pastMove({ state, total, remaining })
const refilled = (total: bigint, remaining: bigint, state: PastMove['state'] = 'COMPLETED') =>
  pastMove({ type: 'UNWIND', state, total, remaining })
const totalOf = (moves: readonly PlannedMove[], past: readonly PastMove[], later = 0n) =>
  moveTotalOf({ moves, later }, past)

test('each part of a move is judged by the sum of all parts, completed ones included', () => {
  expect(totalOf([part(60n), part(40n)], [])).toEqual({ total: 100n, remaining: 40n })
  expect(totalOf([part(40n)], [done(100n, 40n)])).toEqual({ total: 100n, remaining: 0n })
  expect(totalOf([part(30n)], [done(100n, 0n)]), 'the next part').toEqual({ total: 30n, remaining: 0n })
})

test('what strategies can take or pay only later counts towards the sum', () => {
  expect(totalOf([part(40n)], [], 60n)).toEqual({ total: 100n, remaining: 60n })
  expect(totalOf([part(40n)], [done(100n, 60n)], 20n)).toEqual({ total: 100n, remaining: 20n })
  expect(totalOf([part(40n)], [done(100n, 60n)], 30n), 'ten were added').toEqual({ total: 110n, remaining: 30n })
})

test('later additions count towards the sum, and parts that were not carried out do not', () => {
  expect(totalOf([part(70n)], [done(100n, 40n)])).toEqual({ total: 130n, remaining: 0n })
  expect(totalOf([part(40n)], [done(100n, 40n, 'FAILED')])).toEqual({ total: 40n, remaining: 0n })
  expect(totalOf([part(40n, 'UNWIND')], [done(100n, 40n)])).toEqual({ total: 40n, remaining: 0n })
})

test('the parts before one that did not complete count as well', () => {
  for (const state of ['ABORTED', 'FAILED', 'REJECTED'] as const) {
    const past = [refilled(600n, 0n, state), refilled(600n, 200n), refilled(600n, 400n)]
    expect(totalOf([refill(200n)], past), state).toEqual({ total: 600n, remaining: 0n })
  }
})

test('a deployment ends a refill that was not finished, and the reverse: nothing was left of it', () => {
  expect(totalOf([refill(40n)], [done(50n, 0n), refilled(100n, 40n)])).toEqual({ total: 40n, remaining: 0n })
  expect(totalOf([part(40n)], [refilled(50n, 0n, 'REJECTED'), done(100n, 40n)])).toEqual({ total: 40n, remaining: 0n })
})

test('a move for another purpose in between does not end a move of several parts, and none counts towards another', () => {
  const first = refilled(100n, 40n)
  const claim = pastMove({ type: 'UNWIND', purpose: 'claim', total: 5n, remaining: 0n })
  expect(totalOf([refill(40n)], [claim, first])).toEqual({ total: 100n, remaining: 0n })
  expect(totalOf([{ ...refill(40n), purpose: 'evacuation' }], [first])).toEqual({ total: 40n, remaining: 0n })
})
