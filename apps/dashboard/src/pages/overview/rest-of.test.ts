import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromBaseUnits, sum } from '../../lib/money/money.ts'
import { restOf } from './rest-of.ts'

const rowsOf = (...amounts: string[]) => amounts.map((totalBalance) => ({ totalBalance }))

test('what one operational address holds in another token is part of the rest', () => {
  expect(restOf({ data: rowsOf('100.00'), total: 1 }, { totalBalance: '140.00' })).toBe('40.00')
  expect(restOf({ data: rowsOf('100.00', '40.00'), total: 2 }, { totalBalance: '140.000000' })).toBeUndefined()
})

test('the rest is not known while rows are missing, or anything is unread', () => {
  expect(restOf({ data: rowsOf('100.00'), total: 2 }, { totalBalance: '140.00' })).toBeUndefined()
  expect(restOf(undefined, { totalBalance: '140.00' })).toBeUndefined()
  expect(restOf({ data: [], total: 0 }, undefined)).toBeUndefined()
  // The total was read before the last deposit.
  expect(restOf({ data: rowsOf('150.00'), total: 1 }, { totalBalance: '140.00' })).toBeUndefined()
})

test('Property: the rows and the rest add up to the total', () => {
  const amount = fc.bigInt({ min: 0n, max: 10n ** 24n }).map((units) => fromBaseUnits(units, 6))
  fc.assert(
    fc.property(fc.array(amount), amount, (rows, other) => {
      const totalBalance = sum([...rows, other])
      const rest = restOf({ data: rowsOf(...rows), total: rows.length }, { totalBalance })
      expect(sum([...rows, rest ?? '0'])).toBe(totalBalance)
    }),
  )
})
