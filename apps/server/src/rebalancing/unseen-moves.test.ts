// What nodes do not look at: `plan-next-move.ts` with real venues. What they give up on: unfinished-simulations.test.ts.
import { beforeEach, expect, test } from 'vitest'
import { useRebalancer } from '../../testing/rebalancing/use-rebalancer.ts'
import { USDC } from '../../testing/units.ts'
import { evmCall } from '../chains/index.ts'
import { Failure } from '../kernel/index.ts'
import { evaluateDueWallets } from './evaluate-due-wallets.ts'
import type { RebalanceParts } from './parts.ts'

const AAVE = 'aave-v3:polygon:USDC'
const UPGRADEABLE = 'erc4626:polygon:USDC:upgradeable'
const rebalancer = useRebalancer()
const { deployed, operationsOf, rowOf } = rebalancer
let asked: string[] = []

beforeEach(async () => {
  asked = []
  const { db } = rebalancer.engine
  await db.updateTable('strategies').set({ status: 'paused' }).execute()
  await db.updateTable('strategies').set({ status: 'active', apy: 0.01 }).where('key', '=', AAVE).execute()
  await db.updateTable('strategies').set({ status: 'active', apy: 0.01 }).where('key', '=', UPGRADEABLE).execute()
})

/** The rebalancer's parts, with nodes that refuse to simulate calls of these strategies, and perhaps rest after it. */
function partsWithout(keys: readonly string[], areAway = false): RebalanceParts {
  const { engine, parts } = rebalancer
  const refused = keys
    .map((key) => engine.strategy(key).params)
    .map(({ vault, pool }) => (vault ?? pool)!.toLowerCase())
  const simulate: typeof engine.chain.simulate = async (from, calls) => {
    const found = calls.map((call) => evmCall(call).to.toLowerCase()).find((to) => refused.includes(to))
    if (found === undefined) return engine.chain.simulate(from, calls)
    asked.push(found)
    throw new Failure('CHAIN_UNAVAILABLE')
  }
  const isResting = () => areAway && asked.length > 0
  return { ...parts, chains: new Map([['polygon', { ...engine.chain, simulate, isResting }]]) }
}

const earns = (key: string, apy: number) =>
  rebalancer.engine.db.updateTable('strategies').set({ apy }).where('key', '=', key).execute()

/** 400 in each strategy, of which the vault is asked first, and a buffer that lacks 100. */
async function short() {
  const use = await deployed({ [UPGRADEABLE]: 400n * USDC, [AAVE]: 400n * USDC })
  await earns(UPGRADEABLE, 0.01)
  await earns(AAVE, 0.02)
  await rebalancer.change(use, { buffer: 300n * USDC })
  rebalancer.engine.clock.advance(1)
  return use
}

test('a withdrawal that no node looks at gives way to the next one at once, and is not held against its strategy', async () => {
  const use = await short()
  await evaluateDueWallets(partsWithout([UPGRADEABLE]))
  expect(await operationsOf(use)).toMatchObject([
    { type: 'UNWIND', strategy_id: rebalancer.engine.strategy(AAVE).id, planned_value: 100n * USDC },
  ])
  const refused = rebalancer.engine.db.selectFrom('refused_moves').selectAll()
  expect(await refused.where('op_wallet_id', '=', use.wallet.opWalletId).execute()).toEqual([])
})

test('a chain that is away is asked for no other withdrawal', async () => {
  const use = await short()
  await evaluateDueWallets(partsWithout([UPGRADEABLE, AAVE], true))
  expect(asked).toHaveLength(1)
  expect(await operationsOf(use)).toEqual([])
  expect(await rowOf(use)).toMatchObject({ due_at: expect.any(Date), last_evaluation: { outcome: 'unseen' } })
})

test('a withdrawal that no node looks at is tried again soon where no other can pay', async () => {
  const use = await short()
  await evaluateDueWallets(partsWithout([UPGRADEABLE, AAVE]))
  expect(asked).toHaveLength(2)
  const { due_at, last_evaluation } = await rowOf(use)
  expect(last_evaluation).toMatchObject({ outcome: 'unseen' })
  expect(due_at!.getTime() - rebalancer.engine.clock.now().getTime()).toBeLessThanOrEqual(30_000)
})

test('a deposit that no node looks at goes to the next best strategy when it is tried again, and no sooner', async () => {
  const use = await rebalancer.monitor(await rebalancer.fundedClient(), 100n * USDC)
  await earns(UPGRADEABLE, 0.2)
  const parts = partsWithout([UPGRADEABLE])
  rebalancer.engine.clock.advance(1)
  await evaluateDueWallets(parts)
  expect(await operationsOf(use)).toEqual([])
  rebalancer.engine.clock.advance(30_000)
  await evaluateDueWallets(parts)
  expect(await operationsOf(use)).toMatchObject([
    { type: 'SUPPLY', strategy_id: rebalancer.engine.strategy(AAVE).id, amount: 900n * USDC },
  ])
})
