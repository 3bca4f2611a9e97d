import { expect, test } from 'vitest'
import { pastMove } from '../../../testing/rebalancing/past-move.ts'
import type { PlannedMove } from '../planner/plan-claims.ts'
import { moveTotalOf } from './move-total.ts'
import type { PastMove } from './read-wallet-states.ts'

const part = (worth: bigint, type: PlannedMove['type'] = 'SUPPLY'): PlannedMove => {
  return { type, strategyId: 1, strategyName: 'Vault', amount: worth, worth, purpose: 'deployment', why: '' }
}
const done = (total: bigint, remaining: bigint, state: PastMove['state'] = 'COMPLETED') =>
  pastMove({ state, total, remaining })

test('each part of a move is judged by the sum of all parts, completed ones included', () => {
  expect(moveTotalOf([part(60n), part(40n)], [])).toEqual({ total: 100n, remaining: 40n })
  expect(moveTotalOf([part(40n)], [done(100n, 40n)])).toEqual({ total: 100n, remaining: 0n })
  expect(moveTotalOf([part(30n)], [done(100n, 0n)]), 'the next part').toEqual({ total: 30n, remaining: 0n })
})

test('later additions count towards the sum, and parts that were not carried out do not', () => {
  expect(moveTotalOf([part(70n)], [done(100n, 40n)])).toEqual({ total: 130n, remaining: 0n })
  expect(moveTotalOf([part(40n)], [done(100n, 40n, 'FAILED')])).toEqual({ total: 40n, remaining: 0n })
  expect(moveTotalOf([part(40n, 'UNWIND')], [done(100n, 40n)])).toEqual({ total: 40n, remaining: 0n })
})

test('a move for another purpose in between does not end a move of several parts, and none counts towards another', () => {
  const refill = { ...part(40n, 'UNWIND'), purpose: 'refill' } as const
  const first = pastMove({ type: 'UNWIND', purpose: 'refill', total: 100n, remaining: 40n })
  const claim = pastMove({ type: 'UNWIND', purpose: 'claim', total: 5n, remaining: 0n })
  expect(moveTotalOf([refill], [claim, first])).toEqual({ total: 100n, remaining: 0n })
  expect(moveTotalOf([{ ...refill, purpose: 'evacuation' }], [first])).toEqual({ total: 40n, remaining: 0n })
})
