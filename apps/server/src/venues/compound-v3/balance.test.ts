import fc from 'fast-check'
import { expect, test } from 'vitest'
import { accruedIndex, presentValue, principalOf } from './balance.ts'

const index = fc.bigInt({ min: 10n ** 15n, max: 10n ** 17n })
const principal = fc.bigInt({ min: 0n, max: 10n ** 20n })

test('a principal follows from what it is worth at any index', () => {
  fc.assert(fc.property(principal, index, (held, at) => principalOf(presentValue(held, at), at) === held))
})

test('an index grows by its rate for every second, rounded down', () => {
  expect(accruedIndex(10n ** 15n, 951_293_759n, 0n)).toBe(10n ** 15n)
  expect(accruedIndex(1_050_000_000_000_000n, 951_293_759n, 31_536_000n)).toBe(1_081_499_999_983_015n)
})
