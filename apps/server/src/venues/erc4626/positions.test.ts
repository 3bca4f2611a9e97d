// Also tested elsewhere: what vaults that lend on report (queue-liquidity.test.ts, ../../rebalancing/unkind-venues.test.ts).
import { decodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answering } from '../../../testing/venues/answering.ts'
import { addressOf, callsOf, type Market, startMarket } from '../../../testing/venues/market.ts'
import { evmCall } from '../../chains/index.ts'
import type { SharesQuery, Strategy } from '../port.ts'
import { vaultAbi } from './abi.ts'
import { erc4626 } from './index.ts'

const UNIT = 1_000_000n

let market: Market
let query: SharesQuery
let shares: bigint
beforeAll(async () => {
  market = await startMarket('polygon')
  const strategy: Strategy = market.strategy('erc4626:polygon:USDC')
  const key = await market.wallet(strategy, 300n * UNIT)
  const plan = { strategy, owner: addressOf(key), amount: 300n * UNIT, needsZeroAllowance: false }
  await market.send(key, callsOf(await erc4626.planSupply(market.chain, plan)))
  query = { strategy, owner: addressOf(key) }
})
afterAll(() => market.stop())

/** A vault of which all shares can be redeemed, at a loss beyond `free`, as Yearn's say. */
const lossy = (free: (value: bigint) => bigint | undefined, value: bigint) =>
  answering(market.chain, {
    maxRedeem: () => 2n ** 255n,
    maxWithdraw: () => free(value),
    convertToAssets: () => (value * 10n ** 30n) / shares,
  })

test('where all shares can be redeemed, but fewer tokens withdrawn without a loss, those count', async () => {
  const [told] = await erc4626.positions(market.chain, [query])
  shares = told!.shares
  const value = 300n * UNIT
  const read = async (free: (value: bigint) => bigint | undefined) =>
    (await erc4626.positions(lossy(free, value), [query]))[0]!
  const whole = erc4626.valueOf(shares, (await read(() => value)).price)
  for (const answer of [() => whole, () => whole - 2n, () => 2n ** 200n, () => undefined])
    expect(await read(answer)).toMatchObject({ withdrawable: whole })
  expect(await read(() => whole - 3n)).toMatchObject({ withdrawable: whole - 3n })
  expect(await read(() => 120n * UNIT)).toMatchObject({ withdrawable: 120n * UNIT })
  expect(await read(() => 0n)).toMatchObject({ withdrawable: 0n, isUnproven: true })
})

test('a redemption that succeeds proves nothing about what can be withdrawn without a loss', async () => {
  const [reading] = await erc4626.positions(market.chain, [query])
  const callSucceeds: typeof market.chain.callSucceeds = async (_from, call) => {
    const { functionName, args } = decodeFunctionData({ abi: vaultAbi, data: evmCall(call).data as Hex })
    return functionName === 'redeem' || (args![0] as bigint) <= 120n * UNIT
  }
  const found = await erc4626.probe!({ ...market.chain, callSucceeds } as typeof market.chain, query, {
    ...reading!,
    isUnproven: true,
  })
  expect(found).toBeLessThanOrEqual(120n * UNIT)
  expect(found).toBeGreaterThan(117n * UNIT)
})
