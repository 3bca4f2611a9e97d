// Also tested elsewhere: what it costs for 500 positions (allocations/positions/refresh-withdrawable.test.ts), and plans by what it finds
// (rebalancing/unkind-venues.test.ts).
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addressOf, callsOf, type Market, startMarket } from '../../testing/venues/market.ts'
import { CallUnfinishedError } from '../chains/index.ts'
import { WITHDRAWAL_PROBES } from '../kernel/index.ts'
import type { Strategy } from './port.ts'
import { probePositions, probeWithdrawable } from './probe-positions.ts'
import { readPositions } from './read-positions.ts'
import { venueFor } from './venue-for.ts'

const UNIT = 1_000_000n

let market: Market
/** A vault whose limits are 0 by design. */
let silent: Strategy
let large: Hex
let small: Hex
beforeAll(async () => {
  market = await startMarket('polygon')
  silent = market.strategy('erc4626:polygon:USDC:v2')
  large = await supply(300n * UNIT)
  small = await supply(20n * UNIT)
})
afterAll(() => market.stop())

async function supply(amount: bigint): Promise<Hex> {
  const key = await market.wallet(silent, amount)
  const plan = { strategy: silent, owner: addressOf(key), amount, needsZeroAllowance: false }
  await market.send(key, callsOf(await venueFor('erc4626').planSupply(market.chain, plan)))
  return key
}
const setLiquidity = async (amount?: bigint) => {
  await market.devnet.setStrategyState(silent.key, { liquidity: 'leave' })
  await market.devnet.setStrategyState(silent.key, { liquidity: 'return', ...(amount !== undefined && { amount }) })
}

/** Counts simulations, and says whose. */
function counting() {
  const asked: string[] = []
  const callSucceeds: typeof market.chain.callSucceeds = (from, call) => {
    asked.push(from)
    return market.chain.callSucceeds(from, call)
  }
  return { asked, chain: { ...market.chain, callSucceeds } }
}

async function probe(strategies: readonly Strategy[], order = (_: number) => 0) {
  const { asked, chain } = counting()
  const queries = strategies.flatMap((strategy) => [small, large].map((key) => ({ strategy, owner: addressOf(key) })))
  const told = await readPositions(chain, queries)
  expect(told.every((reading) => reading?.isUnproven && reading.withdrawable === 0n)).toBe(true)
  expect(asked, 'reading simulates nothing').toEqual([])
  const found = await probePositions(chain, queries, told, order)
  return { asked, found, told }
}

test('a vault that pays everything costs one simulation, of its largest owner', async () => {
  const { asked, found } = await probe([silent])
  expect(asked).toEqual([addressOf(large)])
  for (const reading of found) {
    expect(reading!.isUnproven).toBeUndefined()
    expect(reading!.withdrawable).toBe(venueFor('erc4626').valueOf(reading!.shares, reading!.price))
  }
})

test('what it holds is found to a hundredth, for each owner up to the position', async () => {
  for (const held of [250n, 77n, 3n]) {
    await setLiquidity(held * UNIT)
    const { asked, found } = await probe([silent])
    const [of, most] = [found[0]!.withdrawable, found[1]!.withdrawable]
    expect(most).toBeLessThanOrEqual(held * UNIT)
    expect(most).toBeGreaterThan((held * UNIT * 99n) / 100n)
    expect(of).toBe(most < 20n * UNIT ? most : of)
    const { points, rounds } = WITHDRAWAL_PROBES
    expect(asked.length).toBeLessThanOrEqual(1 + points * (1 + rounds))
  }
  await setLiquidity(0n)
  const { found } = await probe([silent])
  expect(found.map((reading) => reading!.withdrawable)).toEqual([0n, 0n])
  await setLiquidity()
})

test('500 positions of vaults in a crisis cost few simulations, in few requests', async () => {
  await setLiquidity(77n * UNIT)
  const vaults = Array.from({ length: 10 }, (_, id) => ({ ...silent, id }))
  const queries = vaults.flatMap((strategy) =>
    Array.from({ length: 50 }, (_, index) => ({ strategy, owner: addressOf(index === 20 ? large : small) })),
  )
  const { asked, chain } = counting()
  const before = market.requests()
  const found = await probePositions(chain, queries, await readPositions(chain, queries), () => 0)
  const { strategies, points, rounds } = WITHDRAWAL_PROBES
  expect(asked.length).toBeLessThanOrEqual(strategies * (1 + points * (1 + rounds)))
  expect(new Set(asked)).toEqual(new Set([addressOf(large)]))
  expect(market.requests() - before).toBeLessThanOrEqual(1 + 2 + rounds)
  expect(found.filter((reading) => !reading!.isUnproven)).toHaveLength(strategies * 50)
  await setLiquidity()
})

test('a few of many vaults are tried in one read, in the given order; the others stay unproven', async () => {
  const many = Array.from({ length: 20 }, (_, id) => ({ ...silent, id }))
  const { asked, found } = await probe(many, (id) => -id)
  const { strategies } = WITHDRAWAL_PROBES
  expect(asked).toHaveLength(strategies)
  const proven = found.flatMap((reading, index) => (reading!.isUnproven ? [] : [Math.floor(index / 2)]))
  expect([...new Set(proven)]).toEqual(many.map(({ id }) => id).slice(-strategies))
})

test('a vault whose withdrawal no node can finish stays unproven, and keeps no other from being probed', async () => {
  const slow = { ...silent, id: silent.id + 1 }
  const { chain } = counting()
  let first = true
  const callSucceeds: typeof chain.callSucceeds = async (from, call) => {
    if (!first) return chain.callSucceeds(from, call)
    first = false
    throw new CallUnfinishedError('eth_call', 'execution aborted (timeout = 5s)')
  }
  const queries = [slow, silent].map((strategy) => ({ strategy, owner: addressOf(small) }))
  const probed = { ...chain, callSucceeds }
  const found = await probePositions(probed, queries, await readPositions(chain, queries), (id) => -id)
  expect(found.map((reading) => reading!.isUnproven ?? false)).toEqual([true, false])
})

test('one owner is asked for itself', async () => {
  const query = { strategy: silent, owner: addressOf(small) }
  const [reading] = await readPositions(market.chain, [query])
  expect(await probeWithdrawable(market.chain, query, reading!)).toBeGreaterThan(19n * UNIT)
  const proven = { ...reading!, withdrawable: 5n, isUnproven: undefined as never }
  expect(await probeWithdrawable(market.chain, query, proven)).toBe(5n)
})
