// What a pause says and how long it lasts, by move and strategy: exclusions/*.test.ts.
import { beforeEach, expect, test } from 'vitest'
import { createTestAgent } from '../../testing/agents/test-agent.ts'
import { useRebalancer } from '../../testing/rebalancing/use-rebalancer.ts'
import { USDC } from '../../testing/units.ts'
import { Failure } from '../kernel/index.ts'
import { evaluateDueWallets } from './evaluate-due-wallets.ts'

const AAVE = 'aave-v3:polygon:USDC'
const DAY_MS = 86_400_000
const rebalancer = useRebalancer()
const { change, deployed, evaluateAll, operationsOf, rowOf } = rebalancer

beforeEach(async () => {
  const { db } = rebalancer.engine
  await db.updateTable('strategies').set({ status: 'paused' }).execute()
  await db.updateTable('strategies').set({ status: 'active', apy: 0.04 }).where('key', '=', AAVE).execute()
})

/** An evaluation whose simulations fail. */
function evaluateWith(failure: Failure) {
  const { engine, parts } = rebalancer
  const simulate: typeof engine.chain.simulate = async () => {
    throw failure
  }
  return evaluateDueWallets({ ...parts, chains: new Map([['polygon', { ...engine.chain, simulate }]]) })
}

test.each([
  ['one request that failed', 'CHAIN_UNAVAILABLE'],
  ['too little gas once', 'INSUFFICIENT_GAS'],
] as const)('after an hour without liquidity, %s delays a refill by half a minute at most', async (_, code) => {
  const { clock } = rebalancer.engine
  const use = await deployed({ [AAVE]: 600n * USDC })
  await rebalancer.dev.setStrategyState(AAVE, { liquidity: 'leave' })
  await change(use, { buffer: 700n * USDC })
  for (let waited = 0; waited < 12; waited += 1) {
    await evaluateAll()
    clock.advance(300_000)
  }
  await rebalancer.dev.setStrategyState(AAVE, { liquidity: 'return' })
  await evaluateWith(new Failure(code))
  const { due_at } = await rowOf(use)
  expect(due_at!.getTime() - clock.now().getTime()).toBeLessThanOrEqual(30_000)
  clock.advance(30_000)
  await evaluateAll()
  expect(await operationsOf(use)).toMatchObject([{ type: 'UNWIND', state: 'EXECUTING' }])
})

test('refills that became unnecessary each day do not delay the one that is needed', async () => {
  const { engine, dev } = rebalancer
  const use = await deployed({ [AAVE]: 600n * USDC })
  const agent = createTestAgent(engine, use.client)
  const last = async () => (await operationsOf(use)).at(-1)
  for (let day = 0; day < 8; day += 1) {
    engine.clock.advance(DAY_MS)
    await dev.included(await use.client.spend(50n * USDC))
    await engine.settle()
    await evaluateAll()
    expect(await last()).toMatchObject({ type: 'UNWIND', state: 'EXECUTING' })
    await dev.included(await use.client.receive(50n * USDC))
    await engine.settle()
    expect(await agent.poll()).toBeUndefined()
    expect(await last()).toMatchObject({ type: 'UNWIND', state: 'ABORTED' })
  }
  engine.clock.advance(1_800_000)
  await dev.included(await use.client.spend(390n * USDC))
  await engine.settle()
  await evaluateAll()
  expect(await last()).toMatchObject({ type: 'UNWIND', state: 'EXECUTING' })
})
