import { type Address, type Hex, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answering } from '../../../testing/venues/answering.ts'
import { addressOf, callsOf, type Market, startMarket } from '../../../testing/venues/market.ts'
import { deployQueueVault, type QueueVault } from '../../../testing/venues/queue-vault.ts'
import { contractCall } from '../evm/contract-call.ts'
import type { Strategy } from '../port.ts'
import { erc4626 } from './index.ts'

const UNIT = 1_000_000n

let market: Market
let key: Hex
/** A vault of 1,000 tokens, at most 600 in the first of its two markets, each half lent. */
let strategy: Strategy
let queue: QueueVault

beforeAll(async () => {
  market = await startMarket('polygon')
  const listed = market.strategy('erc4626:polygon:USDC')
  key = await market.wallet(listed, 100_000n * UNIT)
  queue = await deployQueueVault(market.devnet.url, key, listed.tokenAddress, 'QueueVault')
  strategy = { ...listed, params: { vault: queue.vault } }
  const plan = { strategy, owner: addressOf(key), amount: 1_000n * UNIT, needsZeroAllowance: false }
  await market.send(key, callsOf(await erc4626.planSupply(market.chain, plan)))
  await send('borrow', 0, 300n)
  await send('borrow', 1, 200n)
})
afterAll(() => market.stop())

const send = (...move: Parameters<QueueVault['move']>) => market.send(key, queue.move(...move))

const ratesOf = async (chain = market.chain) => (await erc4626.rates(chain, [{ strategy, past: undefined }]))[0]!
const withdrawable = async () => {
  const [position] = await erc4626.positions(market.chain, [{ strategy, owner: addressOf(key) }])
  return position!.withdrawable
}
/** Interest since the last movement of a market is not in what the markets tell. */
const isAbout = (amount: bigint, tokens: bigint) => {
  expect(amount).toBeGreaterThanOrEqual(tokens * UNIT - 10n)
  expect(amount).toBeLessThanOrEqual(tokens * UNIT + 10n)
}

test('liquidity is what borrowers left in the markets of the queue', async () => {
  const { liquidity, tvl } = await ratesOf()
  isAbout(liquidity!, 500n)
  isAbout(tvl, 1_000n)
  isAbout(await withdrawable(), 500n)
})

test('it leaves and returns with the borrowers, market by market', async () => {
  await send('borrow', 1, 200n)
  isAbout((await ratesOf()).liquidity!, 300n)
  await send('repay', 1, 150n)
  isAbout((await ratesOf()).liquidity!, 450n)
  isAbout(await withdrawable(), 450n)
  await send('repay', 1, 50n)
})

test('what others supplied to a market counts up to what the vault has there', async () => {
  await send('supply', 0, 10_000n)
  const { liquidity } = await ratesOf()
  // All 600 of the first market, and what borrowers left in the second.
  isAbout(liquidity!, 800n)
  isAbout(await withdrawable(), 800n)
})

test('tokens that the vault itself holds pay nobody', async () => {
  const before = (await ratesOf()).liquidity!
  const transfer = parseAbi(['function transfer(address to, uint256 value)'])
  const args = [strategy.params.vault as Address, 70n * UNIT] as const
  await market.send(key, [contractCall(strategy.tokenAddress, { abi: transfer, functionName: 'transfer', args })])
  expect((await ratesOf()).liquidity).toBe(before)
})

test('interest since a market’s last movement is missing, so liquidity is never overstated', async () => {
  await market.devnet.increaseTime(30 * 86_400)
  expect((await ratesOf()).liquidity).toBeLessThanOrEqual(await withdrawable())
})

test('a vault that does not report where it lends everything has unknown liquidity', async () => {
  const other = market.strategy('erc4626:polygon:USDC:lending-aave')
  const [rates] = await erc4626.rates(market.chain, [{ strategy: other, past: undefined }])
  expect(rates!.liquidity).toBeNull()
  for (const silent of ['MORPHO', 'withdrawQueueLength', 'withdrawQueue', 'market', 'position'])
    expect((await ratesOf(answering(market.chain, { [silent]: () => undefined }))).liquidity, silent).toBeNull()
  expect((await ratesOf(answering(market.chain, { withdrawQueueLength: () => 10_000n }))).liquidity).toBeNull()
})
