import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RAY, rayDiv, rayMul } from './ray.ts'

/** Rounded half up, as a fraction: -1/2 <= n/d - result < 1/2. */
function isHalfUp(result: bigint, numerator: bigint, denominator: bigint): boolean {
  const twice = 2n * (numerator - result * denominator)
  return -denominator <= twice && twice < denominator
}

const amounts = fc.bigInt({ min: 0n, max: 10n ** 30n })
/** Indexes begin at one ray and only grow. */
const indexes = fc.bigInt({ min: RAY, max: 50n * RAY })

/** Factors and divisors, some of which produce ties. */
const factors = fc.oneof(
  indexes,
  fc.bigInt({ min: 0n, max: 99n }).map((n) => (n * RAY) / 2n),
)
const divisors = fc.oneof(
  indexes,
  fc.bigInt({ min: 1n, max: 99n }).map((n) => n * 2n ** 28n),
)

test('rayMul is the product rounded half up', () => {
  fc.assert(fc.property(amounts, factors, (a, b) => isHalfUp(rayMul(a, b), a * b, RAY)))
  expect(rayMul(1n, RAY / 2n)).toBe(1n)
  expect(rayMul(1n, RAY / 2n - 1n)).toBe(0n)
})

test('rayDiv is the quotient rounded half up', () => {
  fc.assert(fc.property(amounts, divisors, (a, b) => isHalfUp(rayDiv(a, b), a * RAY, b)))
  expect(rayDiv(1n, 2n * RAY)).toBe(1n)
  expect(rayDiv(1n, 2n * RAY + 2n)).toBe(0n)
})

test('withdrawing the whole value burns exactly all shares, at any index', () => {
  fc.assert(fc.property(amounts, indexes, (shares, index) => rayDiv(rayMul(shares, index), index) === shares))
})

test('a deposit is worth what was paid, to within half a share at that price', () => {
  fc.assert(
    fc.property(amounts, indexes, (amount, index) => {
      const difference = rayMul(rayDiv(amount, index), index) - amount
      const halfShare = index / RAY / 2n + 1n
      return -halfShare <= difference && difference <= halfShare
    }),
  )
})

test('interest never lowers a value', () => {
  fc.assert(
    fc.property(amounts, indexes, indexes, (shares, one, other) => {
      const [before, after] = one < other ? [one, other] : [other, one]
      return rayMul(shares, before) <= rayMul(shares, after)
    }),
  )
})
