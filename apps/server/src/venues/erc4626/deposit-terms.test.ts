import { maxUint256 } from 'viem'
import { expect, test } from 'vitest'
import type { Strategy } from '../port.ts'
import { depositTermsFrom } from './deposit-terms.ts'

const strategy = { params: { vault: '0x797DD80692c3b2dAdabCe8e30C07fDE5307D48a9' } } as Partial<Strategy> as Strategy
const roomOf = (maxDeposit: bigint) => depositTermsFrom(strategy, [maxDeposit, undefined]).room

test('a vault without a bound has none, also where it keeps amounts in 112 bits and counts its cash against them', () => {
  expect(roomOf(maxUint256)).toBeNull()
  expect(roomOf(2n ** 112n - 1n - 10n ** 13n)).toBeNull()
  expect(roomOf(2n ** 112n - 1n)).toBeNull()
})

test('a bound that somebody set stays one', () => {
  expect(roomOf(0n)).toBe(0n)
  expect(roomOf(10n ** 32n), 'a hundred million million tokens of 18 decimals').toBe(10n ** 32n)
})
