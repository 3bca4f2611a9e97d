// What a person's rejection pauses: the move that was rejected, and no other.
import { expect, test } from 'vitest'
import { MANUAL_POLICY, setPolicy } from '../../testing/rebalancing/operational-wallets.ts'
import { type RebalancedWallet, useRebalancer } from '../../testing/rebalancing/use-rebalancer.ts'
import { USDC } from '../../testing/units.ts'
import { evaluateBreakers, setBreakerSettings } from '../breakers/index.ts'
import { rejectOperation } from '../operations/index.ts'
import { refreshRiskFacts } from '../venues/index.ts'
import { previewRebalance } from './preview-rebalance.ts'
import { scheduleDriftedWallets } from './schedule-drifted-wallets.ts'

const UPGRADEABLE = 'erc4626:polygon:USDC:upgradeable'
const AAVE = 'aave-v3:polygon:USDC'
const QUEUE = 'erc7540:polygon:USDC'

const rebalancer = useRebalancer()
const { change, deployed, evaluateAll, operationsOf } = rebalancer
const strategyIdOf = (key: string) => rebalancer.engine.strategy(key).id

const movesOf = async (use: RebalancedWallet) =>
  (await operationsOf(use)).map(({ type, state, strategy_id, amount }) => {
    return { type, state, strategyId: strategy_id, amount }
  })
const manual = ({ wallet }: RebalancedWallet) => setPolicy(rebalancer.engine, wallet.organizationId, MANUAL_POLICY)

/** The safety net: what a pass every minute does. */
const scheduleDrifted = () =>
  scheduleDriftedWallets(rebalancer.engine.db, rebalancer.engine.parts.chains, {
    settings: rebalancer.parts.rebalancing,
    now: rebalancer.engine.clock.now(),
  })

/** A person rejects what waits for approval. */
async function reject(use: RebalancedWallet): Promise<void> {
  const waiting = (await operationsOf(use)).find(({ state }) => state === 'PENDING_APPROVAL')
  rebalancer.engine.clock.advance(1_000)
  const input = { scope: use.client.scope, operationId: waiting!.id, userId: 1 }
  await rejectOperation(rebalancer.engine.parts, input)
}

/** A breaker that withdraws is open for the upgradeable vault. */
async function upgraded(use: RebalancedWallet, work: () => Promise<void>): Promise<void> {
  const { engine, dev } = rebalancer
  const { organizationId } = use.wallet
  const off = { priceFallBps: null, pegDistanceBps: null, withdrawableShareBps: null, recoverySeconds: 60 }
  await refreshRiskFacts(engine.parts, engine.chain)
  await setBreakerSettings(engine.parts, { organizationId, settings: { ...off, onUpgrade: true, withdraw: true } })
  await evaluateBreakers(engine.parts)
  await dev.setStrategyState(UPGRADEABLE, { upgraded: true })
  await refreshRiskFacts(engine.parts, engine.chain)
  await evaluateBreakers(engine.parts)
  try {
    await work()
  } finally {
    await dev.setStrategyState(UPGRADEABLE, { upgraded: false })
    await refreshRiskFacts(engine.parts, engine.chain)
  }
}

test('a rejected evacuation is not planned again for a day, and the buffer is refilled meanwhile', async () => {
  const use = await deployed({ [UPGRADEABLE]: 300n * USDC, [AAVE]: 300n * USDC })
  await manual(use)
  await upgraded(use, async () => {
    await evaluateAll()
    await reject(use)
    const evacuation = { type: 'UNWIND', strategyId: strategyIdOf(UPGRADEABLE), amount: null }
    expect(await movesOf(use)).toEqual([{ ...evacuation, state: 'REJECTED' }])
    await evaluateAll()
    expect((await rebalancer.rowOf(use)).last_evaluation).toMatchObject({
      outcome: 'paused',
      text: expect.stringContaining('rejected'),
    })
    // The buffer drops below its minimum without a change of any setting.
    await rebalancer.dev.included(await use.client.spend(50n * USDC))
    await rebalancer.engine.settle()
    const preview = await previewRebalance(rebalancer.parts, { opWallet: use.wallet })
    expect(preview.moves).toMatchObject([{ type: 'UNWIND', worth: 50n * USDC }])
    await evaluateAll()
    expect((await movesOf(use)).slice(1)).toMatchObject([{ state: 'PENDING_APPROVAL', amount: 50n * USDC }])
    await reject(use)
    // A rejected refill pauses refills, for a day as well.
    rebalancer.engine.clock.advance(23 * 3_600_000)
    await scheduleDrifted()
    await evaluateAll()
    expect(await operationsOf(use)).toHaveLength(2)
    rebalancer.engine.clock.advance(3_600_000)
    await scheduleDrifted()
    await evaluateAll()
    expect((await movesOf(use)).slice(2)).toEqual([{ ...evacuation, state: 'PENDING_APPROVAL' }])
  })
})

test('a rejected refill does not delay an evacuation', async () => {
  const use = await deployed({ [UPGRADEABLE]: 300n * USDC, [AAVE]: 300n * USDC })
  await change(use, { buffer: 450n * USDC })
  await manual(use)
  await evaluateAll()
  await reject(use)
  await upgraded(use, async () => {
    await evaluateAll()
    expect((await movesOf(use)).slice(1)).toEqual([
      { type: 'UNWIND', state: 'PENDING_APPROVAL', strategyId: strategyIdOf(UPGRADEABLE), amount: null },
    ])
  })
})

test('an evacuation that is due is found by the safety net', async () => {
  const use = await deployed({ [UPGRADEABLE]: 300n * USDC })
  await upgraded(use, async () => {
    await rebalancer.engine.db.updateTable('operational_wallets').set({ due_at: null }).execute()
    await scheduleDrifted()
    await evaluateAll()
    expect(await operationsOf(use)).toMatchObject([{ type: 'UNWIND', amount: null }])
  })
})

test('a rejected claim is not planned again for a day, and the buffer is refilled meanwhile', async () => {
  const use = await deployed({ [QUEUE]: 300n * USDC, [AAVE]: 300n * USDC })
  await use.client.complete(await use.client.unwind(50n * USDC, QUEUE))
  await rebalancer.dev.setStrategyState(QUEUE, { pendingExits: 'settle' })
  await rebalancer.engine.settle()
  await manual(use)
  await evaluateAll()
  await reject(use)
  const claim = { type: 'UNWIND', strategyId: strategyIdOf(QUEUE), amount: 50n * USDC }
  expect(await movesOf(use)).toEqual([{ ...claim, state: 'REJECTED' }])
  await rebalancer.dev.included(await use.client.spend(100n * USDC))
  await rebalancer.engine.settle()
  await evaluateAll()
  expect((await movesOf(use)).slice(1)).toEqual([
    { type: 'UNWIND', state: 'PENDING_APPROVAL', strategyId: strategyIdOf(AAVE), amount: 100n * USDC },
  ])
  await reject(use)
  rebalancer.engine.clock.advance(24 * 3_600_000)
  await scheduleDrifted()
  await evaluateAll()
  expect((await movesOf(use)).slice(2)).toEqual([{ ...claim, state: 'PENDING_APPROVAL' }])
})

test('a breaker that opens again after a rejection is a new reason to withdraw everything', async () => {
  const { engine, dev } = rebalancer
  const use = await deployed({ [UPGRADEABLE]: 300n * USDC, [AAVE]: 300n * USDC })
  await manual(use)
  const evaluate = async () => {
    await refreshRiskFacts(engine.parts, engine.chain)
    await evaluateBreakers(engine.parts)
    await evaluateAll()
  }
  await upgraded(use, async () => {
    await evaluateAll()
    await reject(use)
    await evaluateAll()
    expect(await operationsOf(use)).toHaveLength(1)
    // The code is what it was, and the breaker closes.
    await dev.setStrategyState(UPGRADEABLE, { upgraded: false })
    await evaluate()
    engine.clock.advance(61_000)
    await evaluate()
    engine.clock.advance(3_600_000)
    await dev.setStrategyState(UPGRADEABLE, { upgraded: true })
    await evaluate()
    expect((await movesOf(use)).slice(1)).toEqual([
      { type: 'UNWIND', state: 'PENDING_APPROVAL', strategyId: strategyIdOf(UPGRADEABLE), amount: null },
    ])
  })
})
