import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Failure } from './errors.ts'
import {
  accept,
  acceptPositive,
  formatDecimal,
  formatUsd,
  MAX_BASE_UNITS,
  Money,
  maxAmount,
  minAmount,
  mulDivDown,
  mulDivUp,
  parseBaseUnits,
  parseDecimal,
} from './money.ts'

const amounts = fc.bigInt({ min: 0n, max: MAX_BASE_UNITS })
const decimals = fc.integer({ min: 0, max: 30 })

describe('base units', () => {
  test('every possible amount survives formatting and parsing', () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        expect(parseBaseUnits(amount.toString())).toBe(amount)
      }),
    )
  })

  test('an amount that exceeds what a chain can hold is refused', () => {
    expect(parseBaseUnits((MAX_BASE_UNITS + 1n).toString())).toBeUndefined()
    fc.assert(
      fc.property(fc.bigInt({ min: MAX_BASE_UNITS + 1n, max: 2n ** 400n }), (amount) => {
        expect(parseBaseUnits(amount.toString())).toBeUndefined()
      }),
    )
  })

  test.each([
    '',
    ' ',
    '-1',
    '+1',
    '1.0',
    '1e6',
    '0x10',
    ' 1',
    '1 ',
    '1\n',
    '1,000',
    '1_000',
    'NaN',
    'Infinity',
    '١',
    '１',
    '9'.repeat(100_000),
  ])('%j is not an amount', (text) => expect(parseBaseUnits(text)).toBeUndefined())

  test('leading zeros do not count, however many', () => {
    for (const zeros of [1, 78, 90, 100_000]) {
      expect(parseBaseUnits(`${'0'.repeat(zeros)}7`)).toBe(7n)
      expect(parseBaseUnits(`${'0'.repeat(zeros)}${MAX_BASE_UNITS}`)).toBe(MAX_BASE_UNITS)
      expect(parseBaseUnits('0'.repeat(zeros))).toBe(0n)
      expect(parseDecimal(`${'0'.repeat(zeros)}7.5`, 6)).toBe(7_500_000n)
      expect(parseBaseUnits(`${'0'.repeat(zeros)}x`)).toBeUndefined()
    }
  })

  test('any text accepted as an amount consists of digits only', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' })), (text) => {
        if (parseBaseUnits(text) !== undefined) expect(text).toMatch(/^[0-9]+$/)
      }),
    )
  })
})

describe('decimals', () => {
  test('an amount survives formatting and parsing to the last unit, for any number of decimals', () => {
    fc.assert(
      fc.property(amounts, decimals, (amount, places) => {
        expect(parseDecimal(formatDecimal(amount, places), places)).toBe(amount)
      }),
    )
  })

  test('the text has at least two digits after the point, at most as many as the token, and no needless zeros', () => {
    fc.assert(
      fc.property(amounts, decimals, (amount, places) => {
        const fraction = formatDecimal(amount, places).split('.')[1]!
        expect(fraction.length).toBeGreaterThanOrEqual(2)
        expect(fraction.length).toBeLessThanOrEqual(Math.max(2, places))
        if (fraction.length > 2) expect(fraction).not.toMatch(/0$/)
      }),
    )
  })

  test('a negative amount is the positive one with a sign', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: MAX_BASE_UNITS }), decimals, (amount, places) => {
        expect(formatDecimal(-amount, places)).toBe(`-${formatDecimal(amount, places)}`)
      }),
    )
  })

  test('amounts beyond the precision of a float keep every digit', () => {
    expect(parseDecimal('9007199254740993.000001', 6)).toBe(9_007_199_254_740_993_000_001n)
    expect(formatDecimal(9_007_199_254_740_993_000_001n, 6)).toBe('9007199254740993.000001')
    expect(parseDecimal('0.1', 18)! + parseDecimal('0.2', 18)!).toBe(parseDecimal('0.3', 18))
  })

  test('text finer than the token is refused, not rounded', () => {
    expect(parseDecimal('0.0000001', 6)).toBeUndefined()
    expect(parseDecimal('1.0000000', 6)).toBeUndefined()
    expect(parseDecimal('1.5', 0)).toBeUndefined()
    expect(parseDecimal('1.000', 0)).toBeUndefined()
    fc.assert(
      fc.property(amounts, decimals, fc.integer({ min: 1, max: 9 }), (whole, places, digit) => {
        expect(parseDecimal(`${whole}.${'0'.repeat(places)}${digit}`, places)).toBeUndefined()
      }),
    )
  })

  test.each(['', '.', '1.', '.5', '-1', '+1', '1e3', '1,5', '1.2.3', ' 1', '1 ', '0x1', '1.5\n'])(
    '%j is not an amount',
    (text) => expect(parseDecimal(text, 6)).toBeUndefined(),
  )

  test('a decimal that exceeds what a chain can hold is refused', () => {
    expect(parseDecimal(formatDecimal(MAX_BASE_UNITS, 6), 6)).toBe(MAX_BASE_UNITS)
    expect(parseDecimal(formatDecimal(MAX_BASE_UNITS + 1n, 6), 6)).toBeUndefined()
  })
})

test('dollars are truncated to cents towards zero and never rounded up', () => {
  expect(formatUsd(1_999_999n, 6)).toBe('1.99')
  expect(formatUsd(-1_999_999n, 6)).toBe('-1.99')
  expect(formatUsd(-1n, 6)).toBe('0.00')
  expect(formatUsd(15n, 1)).toBe('1.50')
  fc.assert(
    fc.property(amounts, fc.integer({ min: 2, max: 30 }), (amount, places) => {
      const cents = parseDecimal(formatUsd(amount, places), 2)!
      const unit = 10n ** BigInt(places - 2)
      expect(cents * unit <= amount && amount < (cents + 1n) * unit).toBe(true)
    }),
  )
})

test('a share of an amount is rounded in the requested direction, by less than one unit', () => {
  fc.assert(
    fc.property(amounts, amounts, fc.bigInt({ min: 1n, max: MAX_BASE_UNITS }), (a, b, divisor) => {
      const [down, up] = [mulDivDown(a, b, divisor), mulDivUp(a, b, divisor)]
      expect(down * divisor <= a * b && a * b < (down + 1n) * divisor).toBe(true)
      expect(up - down).toBe((a * b) % divisor === 0n ? 0n : 1n)
    }),
  )
})

test('the minimum and the maximum of two amounts are those two', () => {
  fc.assert(
    fc.property(fc.bigInt(), fc.bigInt(), (a, b) => {
      expect([minAmount(a, b), maxAmount(a, b)]).toEqual(a < b ? [a, b] : [b, a])
    }),
  )
})

describe('a parsed input', () => {
  const refusal = new Failure('VALIDATION_ERROR', { message: 'amount: no such number' })

  test('is the value, or throws its failure', () => {
    expect(accept(7n)).toBe(7n)
    expect(() => accept<bigint>(refusal)).toThrow(refusal)
    expect(() => acceptPositive(refusal)).toThrow(refusal)
  })

  test('is rejected as an amount if it is not above zero', () => {
    expect(acceptPositive(1n)).toBe(1n)
    for (const amount of [0n, -1n])
      expect(() => acceptPositive(amount)).toThrow(expect.objectContaining({ code: 'INVALID_AMOUNT' }))
  })

  test('money is logged as base units', () => {
    expect(JSON.stringify({ required: new Money(1_500_000n, 6) })).toBe('{"required":"1500000"}')
  })
})
