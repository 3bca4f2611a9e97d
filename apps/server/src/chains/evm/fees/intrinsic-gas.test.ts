import { serializeTransaction } from 'viem'
import { expect, test } from 'vitest'
import { isBelowIntrinsicGas } from './intrinsic-gas.ts'

const raw = (gas: bigint, data: `0x${string}`) =>
  serializeTransaction(
    { type: 'eip1559', chainId: 1, nonce: 0, to: `0x${'11'.repeat(20)}`, gas, data },
    { r: `0x${'01'.repeat(32)}`, s: `0x${'02'.repeat(32)}`, yParity: 0 },
  )

test.each([
  ['0x', 21_000n],
  ['0x00', 21_010n],
  ['0x095ea7b300', 21_170n],
] as const)('with data %s, a transaction needs at least %s gas', (data, minGas) => {
  expect(isBelowIntrinsicGas(raw(minGas - 1n, data))).toBe(true)
  expect(isBelowIntrinsicGas(raw(minGas, data))).toBe(false)
})

test('bytes that are not a transaction are left to the node', () => {
  expect(isBelowIntrinsicGas('0x1234')).toBe(false)
})
