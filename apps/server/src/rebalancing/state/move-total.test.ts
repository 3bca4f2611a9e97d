import { expect, test } from 'vitest'
import type { PlannedMove } from '../planner/plan-claims.ts'
import { moveTotalOf } from './move-total.ts'
import type { PastMove } from './read-wallet-states.ts'

const part = (worth: bigint, type: PlannedMove['type'] = 'SUPPLY'): PlannedMove => {
  return { type, strategyId: 1, strategyName: 'Vault', amount: worth, worth, why: '' }
}
const done = (total: bigint, remaining: bigint, state: PastMove['state'] = 'COMPLETED'): PastMove => {
  const at = new Date('2026-06-01')
  const times = { plannedAt: at, endedAt: at }
  return {
    type: 'SUPPLY',
    strategyId: 1,
    state,
    failureReason: null,
    ...times,
    catalogueFingerprint: null,
    total,
    remaining,
  }
}

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
