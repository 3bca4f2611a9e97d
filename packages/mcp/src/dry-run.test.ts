import { expect, test } from 'vitest'
import { type Check, checksOfSupply, checksOfUnwind } from './dry-run.ts'

const failed = (checks: readonly Check[]) => checks.filter(({ holds }) => !holds).map(({ check }) => check)
const open = {
  status: 'active',
  deposits: { state: 'open', room: '500' },
  minDeposit: '10',
  maxDeposit: '400',
} as const

test('a supply that a plan would accept passes, and each reason of a refusal is one check', () => {
  expect(failed(checksOfSupply(open, 400n, 400n))).toEqual([])
  expect(failed(checksOfSupply({ ...open, deposits: null, minDeposit: null, maxDeposit: null }, 1n, 1n))).toEqual([])
  expect(failed(checksOfSupply({ ...open, status: 'paused' }, 400n, 20n))).toEqual(['the strategy is active'])
  expect(failed(checksOfSupply({ ...open, deposits: { state: 'full', room: '0' } }, 400n, 20n))).toEqual([
    'the strategy accepts deposits',
    'the strategy has room for the amount',
  ])
  expect(failed(checksOfSupply(open, 400n, 9n))).toEqual(['the amount is not below the minimum'])
  expect(failed(checksOfSupply(open, 900n, 401n))).toEqual(['the amount is not above the maximum'])
  expect(failed(checksOfSupply(open, 19n, 20n))).toEqual(['the wallet has the amount available'])
  expect(failed(checksOfSupply(open, 19n, undefined))).toContain('the amount is positive')
})

test('a withdrawal is checked against the position, and against what the strategy can pay', () => {
  expect(failed(checksOfUnwind('100', null, undefined))).toEqual([])
  expect(failed(checksOfUnwind('100', '100', 100n))).toEqual([])
  expect(failed(checksOfUnwind('100', '99', 100n))).toEqual(['the strategy can pay it now'])
  expect(failed(checksOfUnwind('100', null, 101n))).toEqual(['the position is worth the amount'])
  expect(failed(checksOfUnwind(undefined, null, undefined))).toEqual([
    'the wallet has a position in the strategy',
    'the amount is positive',
  ])
})
