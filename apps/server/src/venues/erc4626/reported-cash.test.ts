import { type Address, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addressOf, callsOf, type Market, startMarket } from '../../../testing/venues/market.ts'
import { contractCall } from '../evm/contract-call.ts'
import type { Strategy } from '../port.ts'
import { erc4626 } from './index.ts'

const UNIT = 1_000_000n

let market: Market
let credit: Strategy
beforeAll(async () => {
  market = await startMarket('polygon')
  credit = market.strategy('erc4626:polygon:USDC:credit')
})
afterAll(() => market.stop())

const ratesOf = async (strategy = credit) => (await erc4626.rates(market.chain, [{ strategy, past: undefined }]))[0]!

test('liquidity is what the vault reports, without donations', async () => {
  const before = await ratesOf()
  expect(before.liquidity).toBe(500_000n * UNIT)
  expect(before.tvl).toBeGreaterThanOrEqual(1_000_000n * UNIT)
  const key = await market.wallet(credit, 70n * UNIT)
  const transfer = parseAbi(['function transfer(address to, uint256 value)'])
  const args = [credit.params.vault as Address, 70n * UNIT] as const
  await market.send(key, [contractCall(credit.tokenAddress, { abi: transfer, functionName: 'transfer', args })])
  expect((await ratesOf()).liquidity).toBe(500_000n * UNIT)
  const read = (params: Record<string, string>) =>
    ratesOf({ ...credit, params: { vault: credit.params.vault!, ...params } })
  expect((await read({ cash: 'held' })).liquidity).toBe(500_070n * UNIT)
  expect((await read({})).liquidity).toBeNull()
})

test('an owner can withdraw what borrowers left, and no more', async () => {
  const key = await market.wallet(credit, 100n * UNIT)
  const owner = addressOf(key)
  const plan = { strategy: credit, owner, amount: 100n * UNIT, needsZeroAllowance: false }
  await market.send(key, callsOf(await erc4626.planSupply(market.chain, plan)))
  await market.devnet.setStrategyState(credit.key, { liquidity: 'leave' })
  await market.devnet.setStrategyState(credit.key, { liquidity: 'return', amount: 30n * UNIT })
  const [position] = await erc4626.positions(market.chain, [{ strategy: credit, owner }])
  // Rounded down twice, as in the Euler Vault Kit: to shares, and back.
  expect([30n * UNIT, 30n * UNIT - 1n]).toContain(position!.withdrawable)
  await market.devnet.setStrategyState(credit.key, { liquidity: 'return' })
})
