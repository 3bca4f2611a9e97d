import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isRoutingNumber, routingNumberOf } from './routing-number.ts'

describe('routing numbers', () => {
  test.each(['021000021', '011401533', '091000019', '121000248'])('%s of a real bank is valid', (text) => {
    expect(isRoutingNumber(text)).toBe(true)
  })
  test.each(['021000022', '000000000', '02100002', '0210000210', '02100002a', ''])('%s is invalid', (text) => {
    expect(isRoutingNumber(text)).toBe(false)
  })
  test('the check digit detects every single mistyped digit', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9]{8}$/), fc.nat(8), fc.integer({ min: 1, max: 9 }), (first, at, by) => {
        const whole = routingNumberOf(first)
        fc.pre(whole !== '000000000')
        expect(isRoutingNumber(whole)).toBe(true)
        const digits = [...whole]
        digits[at] = String((Number(digits[at]) + by) % 10)
        expect(isRoutingNumber(digits.join(''))).toBe(false)
      }),
    )
  })
})
