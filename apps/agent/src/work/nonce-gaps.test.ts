import { expect, test } from 'vitest'
import { createNonceGaps } from './nonce-gaps.ts'

test('a transaction is given up once it has waited for half an hour without a break', () => {
  let now = 1_000
  const gaps = createNonceGaps({ monotonic: () => now })
  expect(gaps.waits(1)).toBe(false)
  now += 30 * 60_000 - 1
  expect(gaps.waits(1)).toBe(false)
  expect(gaps.waits(2)).toBe(false)
  now += 1
  expect([gaps.waits(1), gaps.waits(2)]).toEqual([true, false])
  gaps.ended(1)
  expect(gaps.waits(1)).toBe(false)
})
