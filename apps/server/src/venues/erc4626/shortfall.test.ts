// The circuit breaker that it opens: `rebalancing/short-vaults.test.ts`.
import type { Address, Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answering } from '../../../testing/venues/answering.ts'
import { addressOf, type Market, startMarket } from '../../../testing/venues/market.ts'
import { deployQueueVault, type QueueVault } from '../../../testing/venues/queue-vault.ts'
import { contractCall } from '../evm/contract-call.ts'
import { erc20Abi } from '../evm/erc20.ts'
import type { Strategy } from '../port.ts'
import { vaultAbi } from './abi.ts'
import { erc4626 } from './index.ts'
import { priceCall } from './price.ts'

const UNIT = 1_000_000n
const COVERING = '0x0000000000000000000000000000000000000001'

let market: Market
let key: Hex
let strategy: Strategy
let queue: QueueVault
/** Before anything is lost. */
let sound: { readonly told: bigint; readonly price: bigint; readonly tvl: bigint }

beforeAll(async () => {
  market = await startMarket('polygon')
  const listed = market.strategy('erc4626:polygon:USDC')
  key = await market.wallet(listed, 100_000n * UNIT)
  queue = await deployQueueVault(market.devnet.url, key, listed.tokenAddress, 'LossKeepingVault')
  strategy = { ...listed, params: { vault: queue.vault } }
  await deposit(1_000n * UNIT, addressOf(key))
  await send('borrow', 1, 400n)
  const { price, tvl } = await rates()
  sound = { told: await told(), price, tvl }
})
afterAll(() => market.stop())

const send = (...move: Parameters<QueueVault['move']>) => market.send(key, queue.move(...move))
const rates = async (chain = market.chain) => (await erc4626.rates(chain, [{ strategy, past: undefined }]))[0]!
const price = async (chain = market.chain) => (await erc4626.prices(chain, [strategy]))[0]!
const told = async () => (await market.chain.multicall([priceCall(strategy)]))[0] as bigint
const position = async (chain = market.chain) =>
  (await erc4626.positions(chain, [{ strategy, owner: addressOf(key) }]))[0]!
const plan = (chain = market.chain) => {
  return erc4626.planSupply(chain, { strategy, owner: addressOf(key), amount: UNIT, needsZeroAllowance: false })
}
/** By anyone: the vault itself takes it also while it is short. */
async function deposit(amount: bigint, receiver: string): Promise<void> {
  const { vault } = queue
  const approval = { abi: erc20Abi, functionName: 'approve', args: [vault, amount] } as const
  const call = { abi: vaultAbi, functionName: 'deposit', args: [amount, receiver as Address] } as const
  await market.send(key, [contractCall(strategy.tokenAddress, approval), contractCall(vault, call)])
}
/** In hundredths of a percent, rounded to the nearest. */
const partOf = (part: bigint, whole: bigint) => (part * 10_000n + whole / 2n) / whole

test('a vault that lost nothing has the price that it reports, and takes deposits', async () => {
  expect(sound.price).toBe(sound.told)
  expect((await rates()).shortfall).toBe(0n)
  expect(await plan()).not.toEqual([])
})

// Each stage begins where the one above it ended, and is reached once, however often one of its tests runs.

describe('after its markets lost a part', () => {
  let before: number
  beforeAll(async () => {
    before = (await market.chain.heads()).latest.number
    await send('writeOff', 1, 50n)
    await deposit(1n, addressOf(key))
  })

  test('what its markets lost is missing in price, value and what can be withdrawn, though its own price stays', async () => {
    expect(await told()).toBeGreaterThanOrEqual(sound.told)
    expect(partOf(await price(), sound.price)).toBe(9_500n)
    expect(await erc4626.prices(market.chain, [strategy], before), 'as of a block before').toEqual([sound.price])
    const found = await rates()
    expect(found.price).toBe(await price())
    expect(partOf(found.tvl, sound.tvl)).toBe(9_500n)
    // Less what borrowers paid until then.
    expect(partOf(found.shortfall!, 50n * UNIT), 'all that was written off').toBe(10_000n)
    expect(found.apy, 'what it earns is not what it lost').toBeLessThan(0.1)
    const { shares, price: kept, withdrawable } = await position()
    const value = erc4626.valueOf(shares, kept)
    expect(partOf(value, 1_000n * UNIT)).toBe(9_500n)
    // Borrowers left 600 of the 1,000 that it owes.
    expect(partOf(withdrawable, value)).toBe(6_000n)
  })

  test('it takes no deposits by Weir, although it would take them at the whole price', async () => {
    expect((await rates()).deposits).toEqual({ state: 'full', room: 0n })
    await expect(plan()).rejects.toMatchObject({
      code: 'STRATEGY_NOT_ACTIVE',
      message: 'The vault holds less than it owes: a deposit would lose a part of it at once.',
      details: { reason: 'full' },
    })
  })
})

describe('after borrowers repaid what is left of their debt', () => {
  beforeAll(() => send('repay', 1, 350n))

  test('where it would pay all that it owes, the whole value can be withdrawn, and a full withdrawal pays no less', async () => {
    const { shares, price: kept, withdrawable } = await position()
    const value = erc4626.valueOf(shares, kept)
    const chain = answering(market.chain, { maxRedeem: () => shares, maxWithdraw: () => 1_000n * UNIT })
    expect((await position(chain)).withdrawable, 'all of it').toBe(value)
    expect(withdrawable).toBeLessThanOrEqual(value)
    const unwind = { strategy, owner: addressOf(key), amount: 'full' as const, shares, worth: value }
    const [step] = await erc4626.planUnwind(chain, unwind)
    expect(value - step!.returnsAtLeast!).toBeLessThanOrEqual(value / 10_000n + 2n)
  })
})

describe('after somebody covered a part of the loss', () => {
  beforeAll(() => deposit(20n * UNIT, COVERING))

  test('what somebody deposited to cover the loss counts', async () => {
    // 970 are there, for 1,000 that it owes to others.
    expect(partOf(await price(), await told())).toBe(9_700n)
    expect(partOf((await rates()).shortfall!, 30n * UNIT)).toBe(10_000n)
  })
})

describe('after somebody covered the whole loss', () => {
  beforeAll(() => deposit(40n * UNIT, COVERING))

  test('a vault whose whole loss is covered has the price that it reports, and takes deposits', async () => {
    expect(await price()).toBe(await told())
    expect(await rates()).toMatchObject({ deposits: { state: 'open' }, shortfall: 0n })
  })

  test('rounding that it counts as lost stops no deposit', async () => {
    const total = (await rates()).tvl
    const short = (lost: bigint) => answering(market.chain, { lostAssets: () => lost, balanceOf: () => 0n })
    expect((await rates(short(3n))).deposits.state).toBe('open')
    expect((await rates(short(total / 1_100n))).deposits.state).toBe('open')
    expect((await rates(short(total / 900n))).deposits.state).toBe('full')
  })

  test('a vault with another meaning of that function keeps its own price; one without a total is unavailable', async () => {
    expect(await price(answering(market.chain, { lostAssets: () => 10n ** 40n }))).toBe(await told())
    expect(await price(answering(market.chain, { lostAssets: () => undefined }))).toBe(await told())
    for (const lost of [10n ** 40n, undefined])
      expect(await rates(answering(market.chain, { lostAssets: () => lost }))).not.toHaveProperty('shortfall')
    const untotalled = answering(market.chain, { lostAssets: () => 5n, totalAssets: () => undefined })
    await expect(price(untotalled)).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  })
})
