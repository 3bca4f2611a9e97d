import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  difference,
  fromBaseUnits,
  grouped,
  hundredths,
  isAmount,
  isSameAmount,
  isZero,
  plain,
  rate,
  ratio,
  shareOf,
  sum,
  toBaseUnits,
} from './money.ts'

test('base units become a decimal by the decimals of their token, and back', () => {
  for (const [units, decimals, decimal] of [
    ['1234500000', 6, '1234.50'],
    ['1', 6, '0.000001'],
    ['-1500000', 6, '-1.50'],
    ['1500000000000000000', 18, '1.50'],
    ['12345', 2, '123.45'],
    ['0', 6, '0.00'],
  ] as const) {
    expect(fromBaseUnits(units, decimals)).toBe(decimal)
    if (!decimal.startsWith('-')) expect(toBaseUnits(decimal, decimals)).toBe(BigInt(units))
  }
  expect(fromBaseUnits('7', 0)).toBe('7.00')
})

test('an amount with more decimals than its token is not an amount', () => {
  expect(isAmount('1.1234567', 6)).toBe(false)
  expect(isAmount('1.1234567', 18)).toBe(true)
  for (const text of ['', '.', '-1', '1e3', 'abc', '1.2.3']) expect(isAmount(text, 6), text).toBe(false)
  expect(toBaseUnits('1,234.5', 6)).toBe(1_234_500_000n)
})

test('what somebody typed is compared by its amount, and loses only the commas between thousands', () => {
  for (const text of ['20000', '20000.00', '20,000', ' 20,000.0 ', '020000'])
    expect(isSameAmount(text, '20000.00', 6), text).toBe(true)
  for (const text of ['20000.000001', '2000', '', '20,00', '20.000,00'])
    expect(isSameAmount(text, '20000.00', 6), text).toBe(false)
  expect(isSameAmount('', '', 6)).toBe(false)
  expect(['1,234,567.5', ' 20000 ', '1,5', '1234,567', '1,2345'].map(plain)).toEqual([
    '1234567.5',
    '20000',
    '1,5',
    '1234,567',
    '1,2345',
  ])
  for (const text of ['1,5', '1234,567', '1,2345', ',100']) expect(isAmount(text, 6), text).toBe(false)
})

test('decimals of tokens of any decimals sum and compare exactly', () => {
  expect(sum([])).toBe('0.00')
  expect(sum(['0.000000000000000001', '777.00', '-0.10'])).toBe('776.900000000000000001')
  expect(sum(['9007199254740993.000001', '0.000001'])).toBe('9007199254740993.000002')
  expect(difference('1.00', '1.000001')).toBe('-0.000001')
  expect(isZero('0.000000')).toBe(true)
  expect(isZero('-0.000001')).toBe(false)
  expect(() => sum(['a lot'])).toThrow('not a decimal')
})

test('a share of an amount is whole hundredths, and cents are rounded down', () => {
  expect(hundredths('777.77', 50)).toBe('388.88')
  expect(hundredths('777.77', 100)).toBe('777.77')
  expect(hundredths('0.00', 30)).toBe('0.00')
  expect(shareOf('388.89', '777.77')).toBe(50)
  expect(shareOf('900.00', '777.77')).toBe(100)
  expect(shareOf('1.00', '0.00')).toBe(0)
  expect(shareOf('not yet', '10.00')).toBe(0)
})

test('digits are grouped without rounding', () => {
  expect(grouped('1234567.5')).toBe('1,234,567.50')
  expect(grouped('-9007199254740993.000001')).toBe('-9,007,199,254,740,993.000001')
})

test('Property: every amount comes back, whatever its size, and its groups change nothing', () => {
  const amounts = fc.bigInt({ min: 0n, max: 10n ** 30n - 1n })
  fc.assert(
    fc.property(amounts, fc.integer({ min: 0, max: 18 }), (units, decimals) => {
      const decimal = fromBaseUnits(units, decimals)
      expect(grouped(decimal).replaceAll(',', '')).toBe(decimal)
      expect(isZero(decimal)).toBe(units === 0n)
      if (decimals >= 2) expect(toBaseUnits(decimal, decimals)).toBe(units)
      expect(difference('0', decimal)).toBe(units === 0n ? '0.00' : `-${decimal}`)
    }),
  )
})

test('a rate is a percentage, and what the service wrote stays', () => {
  expect([rate(0.0352), rate('3.52%'), rate(null)]).toEqual(['3.52%', '3.52%', '–'])
  expect([-0, -0.000049, -0.0001, -0.5].map(rate)).toEqual(['0.00%', '0.00%', '-0.01%', '-50.00%'])
})

test('a part of a whole is cut to hundredths of a percent', () => {
  expect(ratio(5_343_210n, 1_000_000_000n)).toBe('0.53%')
  expect(ratio(-1n, 3n)).toBe('-33.33%')
  expect(ratio(0n, 7n)).toBe('0.00%')
  expect(ratio(1n, 0n)).toBe('–')
})
