import { type Address, encodeFunctionData, erc20Abi, type Hex, maxUint256, parseAbi, serializeTransaction } from 'viem'
import { expect, test } from 'vitest'
import { type Order, reviewFor } from './review.ts'

const address = (digit: string) => `0x${digit.repeat(40)}` as Address
const [token, pool, vault, wallet] = ['1', '2', '3', '4'].map(address) as [Address, Address, Address, Address]
const rules = { chainId: 31338, token, venues: [pool, vault], maxFee: 10n ** 15n }
const VENUES = parseAbi([
  'function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)',
  'function withdraw(address asset, uint256 amount, address to)',
  'function redeem(uint256 shares, address receiver, address owner)',
])

type Call = (nonce: number) => Hex
const calling =
  (to: Address, data: Hex): Call =>
  (nonce) =>
    serializeTransaction({ type: 'eip1559', to, data, chainId: 31338, gas: 100_000n, maxFeePerGas: 10n ** 9n, nonce })
const approval = calling(token, encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [pool, 1_000n] }))
const supply = (amount: bigint) =>
  calling(pool, encodeFunctionData({ abi: VENUES, functionName: 'supply', args: [token, amount, wallet, 0] }))
const withdrawal = (amount: bigint) =>
  calling(pool, encodeFunctionData({ abi: VENUES, functionName: 'withdraw', args: [token, amount, wallet] }))
const redemption = calling(
  vault,
  encodeFunctionData({ abi: VENUES, functionName: 'redeem', args: [5n, wallet, wallet] }),
)

/** How many of the transactions are signed, until one is refused. */
function signed(order: Order, ...transactions: readonly Hex[]): number {
  const review = reviewFor(order, wallet, rules)
  let count = 0
  try {
    for (const bytes of transactions) {
      review({ bytes, blockchain: 'polygon', transactionId: count, description: 'whatever the service says' })
      count += 1
    }
  } catch {
    return count
  }
  return count
}
const SUPPLY: Order = { does: 'supply', amount: 1_000n }
const WITHDRAW: Order = { does: 'withdraw', amount: 1_000n }
const ALL: Order = { does: 'withdraw', amount: 'everything' }

test('a plan that does what was ordered is signed', () => {
  expect(signed(SUPPLY, approval(0), supply(1_000n)(1))).toBe(2)
  expect(signed(WITHDRAW, withdrawal(1_000n)(0))).toBe(1)
  expect(signed(ALL, withdrawal(maxUint256)(0), redemption(1))).toBe(2)
})

test('a plan of ten supplies moves the ordered amount once', () => {
  expect(signed(SUPPLY, ...Array.from({ length: 10 }, (_, nonce) => supply(1_000n)(nonce)))).toBe(1)
  expect(signed(SUPPLY, supply(600n)(0), supply(400n)(1), supply(1n)(2))).toBe(2)
})

test('other bytes with the same nonce count once, by the higher amount', () => {
  expect(signed(SUPPLY, supply(1_000n)(0), supply(1_000n)(0), supply(900n)(0), supply(100n)(1))).toBe(3)
})

test('a plan that does the opposite of the order, or more, is refused', () => {
  expect(signed(SUPPLY, withdrawal(1n)(0))).toBe(0)
  expect(signed(WITHDRAW, supply(1n)(0))).toBe(0)
  expect(signed(ALL, approval(0))).toBe(0)
  expect(signed(WITHDRAW, withdrawal(600n)(0), withdrawal(600n)(1))).toBe(1)
  expect(signed(WITHDRAW, withdrawal(maxUint256)(0))).toBe(0)
  expect(signed(WITHDRAW, redemption(0))).toBe(0)
})
