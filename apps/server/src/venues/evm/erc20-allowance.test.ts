import fc from 'fast-check'
import { decodeFunctionData, type Hex } from 'viem'
import { expect, test } from 'vitest'
import { evmCall } from '../../chains/index.ts'
import type { Strategy } from '../port.ts'
import { erc20Abi } from './erc20.ts'
import { allowanceSteps } from './erc20-allowance.ts'

const strategy = {
  token: 'USDT',
  tokenDecimals: 6,
  tokenAddress: '0xc2132D05D31c914a87C6611C10748AEb04B58e8F',
} as Strategy
const spender = '0x794a61358D6845594F94dc1DB02A252b5b4814aD'
const UNIT = 1_000_000n

function approved(amount: bigint, allowance: bigint, needsZeroAllowance: boolean) {
  return allowanceSteps({ strategy, spender, spenderName: 'Aave V3', amount, allowance, needsZeroAllowance }).map(
    ({ kind, call }) => {
      expect(call).toMatchObject({ to: strategy.tokenAddress, value: 0n })
      const { args } = decodeFunctionData({ abi: erc20Abi, data: evmCall(call).data as Hex })
      expect(args[0]).toBe(spender)
      return [kind, args[1]]
    },
  )
}

test('an allowance equal to the required amount needs no approval', () => {
  expect(approved(5n * UNIT, 5n * UNIT, true)).toEqual([])
  expect(approved(5n * UNIT, 5n * UNIT, false)).toEqual([])
})

test('any other allowance is replaced by exactly the required amount, through zero where the token demands it', () => {
  expect(approved(5n * UNIT, 0n, true)).toEqual([['approve', 5n * UNIT]])
  expect(approved(5n * UNIT, 7n * UNIT, false)).toEqual([['approve', 5n * UNIT]])
  expect(approved(5n * UNIT, 7n * UNIT, true)).toEqual([
    ['approve_reset', 0n],
    ['approve', 5n * UNIT],
  ])
})

test('from any allowance, the steps end with exactly the required amount, and Tether accepts each of them', () => {
  const amounts = fc.bigInt({ min: 1n, max: 2n ** 256n - 1n })
  fc.assert(
    fc.property(amounts, fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), fc.boolean(), (amount, before, tether) => {
      let allowance = before
      for (const [, next] of approved(amount, before, tether)) {
        if (tether && allowance > 0n && next !== 0n) return false
        allowance = next as bigint
      }
      return allowance === amount
    }),
  )
})

test('descriptions are readable', () => {
  const steps = allowanceSteps({
    strategy,
    spender,
    spenderName: 'Aave V3',
    amount: 1_234_567n * UNIT + 500_000n,
    allowance: 1n,
    needsZeroAllowance: true,
  })
  expect(steps.map(({ description }) => description)).toEqual([
    'Reset the USDT allowance of Aave V3 to zero',
    'Approve 1,234,567.50 USDT for Aave V3',
  ])
})
