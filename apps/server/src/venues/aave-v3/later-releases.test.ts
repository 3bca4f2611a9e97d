import fc from 'fast-check'
import { type Address, encodeAbiParameters, encodeEventTopics, type Hex, pad } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answering } from '../../../testing/venues/answering.ts'
import { type Market, startMarket } from '../../../testing/venues/market.ts'
import type { ChainLog, EvmIncludedTransaction } from '../../chains/index.ts'
import { erc20Abi } from '../evm/erc20.ts'
import type { Strategy } from '../port.ts'
import { aTokenAbi, poolAbi } from './abi.ts'
import { aaveV3 } from './index.ts'
import { RAY } from './ray.ts'

/**
 * Releases from 3.1 on, which the embedded chains do not run: what they answer, and from 3.5 on the arithmetic of their
 * TokenMath: what is minted and a balance round down, what is burned up.
 */

const mulDown = (a: bigint, b: bigint) => (a * b) / RAY
const divDown = (a: bigint, b: bigint) => (a * RAY) / b
const divUp = (a: bigint, b: bigint) => (a * RAY + b - 1n) / b
const distance = (a: bigint, b: bigint) => (a > b ? a - b : b - a)

let market: Market
let usdc: Strategy
const owner = pad('0x1', { size: 20 })
beforeAll(async () => {
  market = await startMarket('polygon')
  usdc = market.strategy('aave-v3:polygon:USDC')
})
afterAll(() => market.stop())

const ratesWith = async (answers: Parameters<typeof answering>[1]) =>
  (await aaveV3.rates(answering(market.chain, answers), [{ strategy: usdc, past: undefined }]))[0]!

test('a donation is not liquidity where the pool counts its own, and a lower balance is what can be paid', async () => {
  const { liquidity } = await ratesWith({})
  expect((await ratesWith({ getVirtualUnderlyingBalance: () => liquidity! - 7n })).liquidity).toBe(liquidity! - 7n)
  expect((await ratesWith({ getVirtualUnderlyingBalance: () => liquidity! + 7n })).liquidity).toBe(liquidity)
})

test('fields that later releases fill with zeros change nothing', async () => {
  const [data] = await market.chain.multicall([
    { address: usdc.params.pool!, abi: poolAbi, functionName: 'getReserveData', args: [usdc.tokenAddress] },
  ])
  const zero = pad('0x', { size: 20 })
  const later = { ...(data as object), currentStableBorrowRate: 0n, stableDebtTokenAddress: zero, unbacked: 0n }
  const { price: _before, ...before } = await ratesWith({})
  const { price: _after, ...after } = await ratesWith({ getReserveData: () => later })
  expect({ ...after, tvl: 0n }).toEqual({ ...before, tvl: 0n })
})

interface Held {
  readonly scaled: bigint
  readonly index: bigint
}

/** The event that the aToken emits when its user's shares change at an index, and the token's transfer. */
function landed(before: Held, after: Held, tokens: bigint): EvmIncludedTransaction {
  const previous = mulDown(before.scaled, before.index)
  const next = mulDown(after.scaled, after.index)
  const increase = mulDown(before.scaled, after.index) - previous
  const aToken = usdc.params.aToken as Address
  const [name, value] = next > previous ? (['Mint', next - previous] as const) : (['Burn', previous - next] as const)
  const args = name === 'Mint' ? { caller: owner, onBehalfOf: owner } : { from: owner, target: owner }
  const data = encodeAbiParameters(
    [{ type: 'uint256' }, { type: 'uint256' }, { type: 'uint256' }],
    [value, increase, after.index],
  )
  const [from, to] = tokens > 0n ? [owner, aToken] : [aToken, owner]
  const transfer = encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer', args: { from, to } })
  const amount = encodeAbiParameters([{ type: 'uint256' }], [tokens > 0n ? tokens : -tokens])
  const logs = [
    { address: usdc.tokenAddress, topics: transfer as Hex[], data: amount },
    { address: aToken, topics: encodeEventTopics({ abi: aTokenAbi, eventName: name, args }) as Hex[], data },
  ] as unknown as ChainLog[]
  return { family: 'evm', logs } as unknown as EvmIncludedTransaction
}

const index = fc.bigInt({ min: RAY, max: 3n * RAY })
const amount = fc.bigInt({ min: 1n, max: 10n ** 15n })

test('a deposit moves exactly the tokens, and its shares to within one', () => {
  fc.assert(
    fc.property(amount, amount, index, fc.bigInt({ min: 0n, max: RAY }), (held, paid, at, growth) => {
      const minted = divDown(paid, at + growth)
      fc.pre(minted > 0n)
      const transaction = landed({ scaled: held, index: at }, { scaled: held + minted, index: at + growth }, paid)
      const movement = aaveV3.netMovement(usdc, owner, transaction)
      expect(movement).toMatchObject({ direction: 'in', assets: paid })
      expect(distance(movement!.shares, minted)).toBeLessThanOrEqual(1n)
    }),
  )
})

test('a withdrawal moves exactly the tokens, and its shares to within one; everything leaves no share', () => {
  fc.assert(
    fc.property(
      amount,
      index,
      fc.bigInt({ min: 0n, max: RAY }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (held, at, growth, part) => {
        const now = at + growth
        const balance = mulDown(held, now)
        const paid = part === 1 ? balance : (balance * BigInt(Math.round(part * 1_000))) / 1_000n
        fc.pre(paid > 0n)
        const burned = divUp(paid, now)
        if (paid === balance) expect(burned).toBe(held)
        const transaction = landed({ scaled: held, index: at }, { scaled: held - burned, index: now }, -paid)
        const movement = aaveV3.netMovement(usdc, owner, transaction)
        expect(movement).toMatchObject({ direction: 'out', assets: paid })
        expect(distance(movement!.shares, burned)).toBeLessThanOrEqual(1n)
      },
    ),
  )
})

test('a value is the balance, or one base unit more', () => {
  fc.assert(
    fc.property(amount, index, (held, at) => {
      const over = aaveV3.valueOf(held, at) - mulDown(held, at)
      return over === 0n || over === 1n
    }),
  )
})
