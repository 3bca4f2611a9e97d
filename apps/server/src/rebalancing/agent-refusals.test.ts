// What an agent refuses: one strategy, an amount, or everything because its signer is down.
import { expect, test } from 'vitest'
import { createTestAgent } from '../../testing/agents/test-agent.ts'
import { type RebalancedWallet, useRebalancer } from '../../testing/rebalancing/use-rebalancer.ts'
import { USDC } from '../../testing/units.ts'
import type { IssuedBytes } from '../operations/index.ts'

const OVER_AAVE = 'erc4626:polygon:USDC:lending-aave'
const OVER_MARKETS = 'erc4626:polygon:USDC:lending-markets'
const AAVE = 'aave-v3:polygon:USDC'

const rebalancer = useRebalancer()
const { change, deployed, evaluateAll, monitor, operationsOf, fundedClient } = rebalancer
const strategyIdOf = (key: string) => rebalancer.engine.strategy(key).id

/** Positions of a wallet with 1,000 USDC; withdrawals come from the first of them first. */
async function holding(positions: Readonly<Record<string, bigint>>): Promise<RebalancedWallet> {
  await rebalancer.engine.db.updateTable('strategies').set({ status: 'active' }).execute()
  const use = await deployed(positions)
  await only(...Object.keys(positions))
  return use
}

/** Only these strategies take deposits, best rate last. */
async function only(...keys: readonly string[]): Promise<void> {
  const { db } = rebalancer.engine
  await db.updateTable('strategies').set({ status: 'paused' }).execute()
  for (const [index, key] of keys.entries()) {
    const apy = 0.02 + index / 100
    await db.updateTable('strategies').set({ status: 'active', apy }).where('key', '=', key).execute()
  }
}

/** The rebalancer and an agent until nothing is due; the agent reports FAILED where `refuses` says why. */
async function work(use: RebalancedWallet, refuses: (issued: IssuedBytes) => string | undefined): Promise<void> {
  const { engine, dev } = rebalancer
  const agent = createTestAgent(engine, use.client)
  await evaluateAll()
  for (let issued = await agent.poll(); issued; issued = await agent.poll()) {
    const error = refuses(issued)
    if (error === undefined) {
      const txHash = await agent.send(issued)
      await agent.submitted(issued, txHash)
      await dev.included(txHash)
      await engine.settle()
    } else await agent.failed(issued, { error })
    await evaluateAll()
  }
}

/** As the operator's allow-list: everything of this strategy is refused. */
const offTheList =
  (key: string) =>
  ({ operation }: IssuedBytes) =>
    operation.strategyId === strategyIdOf(key) ? 'VENUE_NOT_LISTED: the venue is not on the list' : undefined

const movesOf = async (use: RebalancedWallet) =>
  (await operationsOf(use)).map(({ type, state, strategy_id, planned_value }) => {
    return { type, state, strategyId: strategy_id, worth: planned_value }
  })

test('a venue that the agent refuses is left out, and the next one fills the buffer at once', async () => {
  const use = await holding({ [OVER_AAVE]: 300n * USDC, [OVER_MARKETS]: 300n * USDC })
  await change(use, { buffer: 500n * USDC })
  await work(use, offTheList(OVER_AAVE))
  expect(await movesOf(use)).toEqual([
    { type: 'UNWIND', state: 'FAILED', strategyId: strategyIdOf(OVER_AAVE), worth: 100n * USDC },
    { type: 'UNWIND', state: 'COMPLETED', strategyId: strategyIdOf(OVER_MARKETS), worth: 100n * USDC },
  ])
  expect(await use.client.usdc()).toBe(500n * USDC)
  // It is asked last from here on: the next refill costs no failure.
  rebalancer.engine.clock.advance(3_600_000)
  await change(use, { buffer: 520n * USDC })
  await work(use, offTheList(OVER_AAVE))
  expect((await movesOf(use)).slice(2)).toMatchObject([
    { state: 'COMPLETED', strategyId: strategyIdOf(OVER_MARKETS), worth: 20n * USDC },
  ])
})

test('a deposit that the agent refuses goes to the next best strategy', async () => {
  const client = await fundedClient()
  await only(OVER_AAVE, OVER_MARKETS)
  const use = await monitor(client, 100n * USDC)
  await work(use, offTheList(OVER_MARKETS))
  expect(await movesOf(use)).toEqual([
    { type: 'SUPPLY', state: 'FAILED', strategyId: strategyIdOf(OVER_MARKETS), worth: 900n * USDC },
    { type: 'SUPPLY', state: 'COMPLETED', strategyId: strategyIdOf(OVER_AAVE), worth: 900n * USDC },
  ])
})

test('an agent that refuses everything fails two strategies, and then less and less often', async () => {
  const use = await holding({ [OVER_AAVE]: 200n * USDC, [OVER_MARKETS]: 200n * USDC, [AAVE]: 200n * USDC })
  await change(use, { buffer: 500n * USDC })
  const failuresWithin = async (minutes: number) => {
    const before = (await operationsOf(use)).length
    for (let passed = 0; passed < minutes * 60; passed += 15) {
      await work(use, () => 'SIGNER_REFUSED: the device is locked')
      rebalancer.engine.clock.advance(15_000)
    }
    return (await operationsOf(use)).length - before
  }
  await work(use, () => 'SIGNER_REFUSED: the device is locked')
  expect(await operationsOf(use)).toHaveLength(2)
  expect(await failuresWithin(10)).toBeLessThanOrEqual(5)
  expect(await failuresWithin(30)).toBeLessThanOrEqual(2)
  // All were asked in turn, and the first whose signer works again pays.
  expect(new Set((await movesOf(use)).map(({ strategyId }) => strategyId)).size).toBe(3)
  rebalancer.engine.clock.advance(3_600_000)
  await work(use, () => undefined)
  expect(await use.client.usdc()).toBe(500n * USDC)
})

test('a withdrawal whose amount the agent refuses is halved until it accepts', async () => {
  const use = await holding({ [OVER_AAVE]: 600n * USDC })
  await change(use, { buffer: 1_000n * USDC })
  const atMost = ({ operation }: IssuedBytes) =>
    (operation.plannedValue ?? 0n) > 200n * USDC ? 'LIMIT_REACHED: at most 200 USDC at once' : undefined
  for (let round = 0; round < 60 && (await use.client.usdc()) < 999n * USDC; round += 1) {
    await work(use, atMost)
    rebalancer.engine.clock.advance(60_000)
  }
  const asked = (await movesOf(use)).map(({ worth }) => worth!)
  expect(asked[1]).toBe(asked[0]! / 2n)
  expect(asked[2]).toBe(asked[1]! / 2n)
  expect(await use.client.usdc()).toBeGreaterThanOrEqual(999n * USDC)
})
