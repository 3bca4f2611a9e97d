// Also tested elsewhere: what previews say about such a vault (system/venues/venue-states.test.ts).
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addressOf, type Market, startMarket } from '../../../testing/venues/market.ts'
import type { Strategy } from '../port.ts'
import { erc4626 } from './index.ts'

const UNIT = 1_000_000n

let market: Market
let silent: Strategy
beforeAll(async () => {
  market = await startMarket('polygon')
  silent = market.strategy('erc4626:polygon:USDC:v2')
})
afterAll(() => market.stop())

const ratesOf = async (chain = market.chain, strategy = silent) => {
  const { latest } = await chain.heads()
  return (await erc4626.rates(chain, [{ strategy, past: undefined }], latest))[0]!
}
const depositsOf = async () => (await ratesOf()).deposits

test('a vault without a bound takes anything, as one simulation shows', async () => {
  const before = market.requests()
  expect(await depositsOf()).toEqual({ state: 'open', room: null })
  // The head, what the vault tells, and the simulation.
  expect(market.requests() - before).toBe(3)
})

test('a vault that is nearly full has the room that its cap leaves, to a token', async () => {
  const { totalAssets } = await market.devnet.strategyState(silent.key)
  await market.devnet.setStrategyState(silent.key, { depositCap: totalAssets + 1_234_567_890n })
  const { state, room } = await depositsOf()
  expect(state).toBe('open')
  expect(room).toBeLessThanOrEqual(1_234_567_890n)
  expect(room).toBeGreaterThan(1_232_000_000n)
  await market.devnet.setStrategyState(silent.key, { depositCap: 0n })
  expect(await depositsOf()).toEqual({ state: 'full', room: 0n })
  await market.devnet.setStrategyState(silent.key, { depositCap: null })
  expect(await depositsOf()).toEqual({ state: 'open', room: null })
})

test('a paused vault says so', async () => {
  await market.devnet.setStrategyState(silent.key, { paused: true })
  expect(await depositsOf()).toEqual({ state: 'paused', room: 0n })
  const paused = market.strategy('erc4626:polygon:USDC:lending-markets')
  await market.devnet.setStrategyState(paused.key, { paused: true })
  expect((await ratesOf(market.chain, paused)).deposits).toEqual({ state: 'paused', room: 0n })
  const plan = { strategy: paused, owner: addressOf(await market.wallet(paused, UNIT)), amount: UNIT }
  await expect(erc4626.planSupply(market.chain, { ...plan, needsZeroAllowance: false })).rejects.toMatchObject({
    code: 'STRATEGY_NOT_ACTIVE',
    details: { reason: 'paused' },
  })
  for (const { key } of [silent, paused]) await market.devnet.setStrategyState(key, { paused: false })
})

test('where the node cannot simulate it, nothing is concluded', async () => {
  await market.devnet.setStrategyState(silent.key, { paused: true })
  const chain = { ...market.chain, simulateFunded: async () => undefined }
  expect((await ratesOf(chain)).deposits).toEqual({ state: 'open', room: null })
  await market.devnet.setStrategyState(silent.key, { paused: false })
})
