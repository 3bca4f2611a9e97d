import { expect, test } from 'vitest'
import { Failure } from '../../kernel/index.ts'
import { parseAmount, parseUnwindAmount } from './parse-amount.ts'

test('digits are base units', () => {
  expect(parseAmount('1000000')).toBe(1_000_000n)
})

test.each(['', '-1', '1.5', '1e6', '%j is rejected with INVALID_AMOUNT', `${2n ** 256n}`])(
  '%j is parsed as the refusal INVALID_AMOUNT',
  (text) => {
    expect(parseAmount(text)).toEqual(new Failure('INVALID_AMOUNT'))
  },
)

test('an unwind takes an amount or the whole position, exactly one of the two', () => {
  expect([parseUnwindAmount('7', false), parseUnwindAmount(undefined, true)]).toEqual([7n, 'full'])
  expect(() => parseUnwindAmount('7', true)).toThrow('amount: cannot be combined with fullWithdrawal')
  expect(() => parseUnwindAmount(undefined, false)).toThrow('amount: is required unless fullWithdrawal is true')
})
