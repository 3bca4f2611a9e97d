import { type Hex, pad, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answering } from '../../../testing/venues/answering.ts'
import { addressOf, callsOf, type Market, startMarket } from '../../../testing/venues/market.ts'
import type { EvmIncludedTransaction } from '../../chains/index.ts'
import type { Strategy } from '../port.ts'
import { compoundV3 } from './index.ts'

/** What a Comet may answer and emit that the embedded market does not; compound-v3.test.ts tests the rest. */

const UNIT = 1_000_000n
const YEAR = 365 * 86_400

let market: Market
let usdc: Strategy
beforeAll(async () => {
  market = await startMarket('polygon')
  usdc = market.strategy('compound-v3:polygon:USDC')
})
afterAll(() => market.stop())

type Answers = Parameters<typeof answering>[1]
const ratesOf = async (answers: Answers, at?: number) => {
  const block = at === undefined ? undefined : { number: at, time: new Date(0) }
  return (await compoundV3.rates(answering(market.chain, answers), [{ strategy: usdc, past: undefined }], block))[0]!
}
const query = (key: Hex) => [{ strategy: usdc, owner: addressOf(key) }]
const positionOf = async (key: Hex, answers: Answers = {}) =>
  (await compoundV3.positions(answering(market.chain, answers), query(key)))[0]!
const priceAt = async (at: number) => (await compoundV3.prices(market.chain, [usdc], at))[0]!

async function supply(amount: bigint): Promise<{ key: Hex; transaction: EvmIncludedTransaction }> {
  const key = await market.wallet(usdc, amount)
  const plan = { strategy: usdc, owner: addressOf(key), amount, needsZeroAllowance: false }
  const sent = await market.send(key, callsOf(await compoundV3.planSupply(market.chain, plan)))
  return { key, transaction: sent.at(-1)! }
}

test('a debt is no position', async () => {
  const { key } = await supply(10n * UNIT)
  const owing = { userBasic: () => [-5n, 0n, 0n, 0, 0] }
  expect(await compoundV3.shares(answering(market.chain, owing), query(key))).toEqual([0n])
  expect(await positionOf(key, owing)).toMatchObject({ shares: 0n, withdrawable: 0n })
})

test('releases that pause the base token or lenders alone are paused for that', async () => {
  const { key } = await supply(10n * UNIT)
  const base = { isBaseSupplyPaused: () => true }
  expect(await ratesOf(base)).toMatchObject({ deposits: { state: 'paused', room: 0n }, withdrawals: 'open' })
  const lenders = { isLendersWithdrawPaused: () => true }
  expect(await ratesOf(lenders)).toMatchObject({ deposits: { state: 'open' }, withdrawals: 'paused' })
  expect(await positionOf(key, lenders)).toMatchObject({ withdrawable: 0n })
})

test.each(['isSupplyPaused', 'isWithdrawPaused', 'totalsBasic', 'getUtilization', 'getSupplyRate', 'totalSupply'])(
  'without %s the market is CHAIN_UNAVAILABLE, never open or worth something else',
  async (name) => {
    await expect(ratesOf({ [name]: () => undefined })).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  },
)

test('price and TVL of a past block are those of that block, also when time and utilization changed since', async () => {
  const { key, transaction } = await supply(1_000n * UNIT)
  await market.devnet.increaseTime(YEAR)
  const at = (await market.chain.heads()).latest.number
  const before = await ratesOf({}, at)
  const { shares } = await positionOf(key)
  const value = compoundV3.valueOf(shares, before.price)
  await supply(900_000n * UNIT)
  await market.devnet.increaseTime(YEAR)
  expect(await ratesOf({}, at)).toEqual(before)
  expect(await priceAt(at)).toBe(before.price)
  expect(value).toBeGreaterThan(1_020n * UNIT)
  expect(compoundV3.valueOf(shares, await priceAt(transaction.blockNumber))).toBeLessThanOrEqual(1_000n * UNIT)
})

test('every read for a block is at that block', async () => {
  const at = (await market.chain.heads()).latest.number - 1
  const asked = new Set<number | undefined>()
  const multicall: typeof market.chain.multicall = (calls, block) => {
    asked.add(block)
    return market.chain.multicall(calls, block)
  }
  const queries = [{ strategy: usdc, past: undefined }]
  const chain: typeof market.chain = { ...market.chain, multicall }
  await compoundV3.rates(chain, queries, { number: at, time: new Date(0) })
  expect([...asked]).toEqual([at])
})

test('tokens that a withdrawal pays to somebody else are not the wallet’s', async () => {
  const { key } = await supply(50n * UNIT)
  const { shares } = await positionOf(key)
  const plan = { strategy: usdc, owner: addressOf(key), amount: 'full' as const, shares }
  const steps = await compoundV3.planUnwind(market.chain, plan)
  const [transaction] = await market.send(key, callsOf(steps))
  const [withdrawal] = transaction!.logs.filter(
    ({ topics, address }) => topics.length === 3 && address === usdc.params.comet,
  )
  const elsewhere = { ...withdrawal!, topics: withdrawal!.topics.with(2, pad(zeroAddress)) }
  const logs = transaction!.logs.map((log) => (log === withdrawal ? elsewhere : log))
  const price = await priceAt(transaction!.blockNumber)
  expect(compoundV3.netMovement(usdc, addressOf(key), { ...transaction!, logs }, price)).toEqual({
    direction: 'out',
    assets: 0n,
    shares,
  })
})

test('a transfer that follows a deposit in one transaction is not a part of it', async () => {
  const { key, transaction } = await supply(50n * UNIT)
  const price = await priceAt(transaction.blockNumber)
  const read = (of: EvmIncludedTransaction) => compoundV3.netMovement(usdc, addressOf(key), of, price)
  // Comet emits a transfer between accounts as one from the zero address.
  const received = transaction.logs.at(-1)!
  expect(received.topics[1]).toBe(pad(zeroAddress))
  expect(read({ ...transaction, logs: [...transaction.logs, received] })).toEqual(read(transaction))
})
