// What people change while a move is chosen; at its commit: require-claim.test.ts. What was planned before is aborted
// (operations/approval/abort-outdated.test.ts).
import { expect, test } from 'vitest'
import { createTestAgent } from '../../testing/agents/test-agent.ts'
import { type RebalancedWallet, useRebalancer } from '../../testing/rebalancing/use-rebalancer.ts'
import { USDC } from '../../testing/units.ts'
import { evaluateDueWallets } from './evaluate-due-wallets.ts'

const AAVE = 'aave-v3:polygon:USDC'
const rebalancer = useRebalancer()
const { change, evaluateAll, next } = rebalancer

async function onlyAave(): Promise<void> {
  const { db } = rebalancer.engine
  await db.updateTable('strategies').set({ status: 'paused' }).execute()
  await db.updateTable('strategies').set({ status: 'active', apy: 0.04 }).where('key', '=', AAVE).execute()
}

/** An evaluation, while whose move is simulated a person changes the settings. */
async function evaluateDuring(work: () => Promise<unknown>): Promise<void> {
  const { chain, clock } = rebalancer.engine
  clock.advance(1_000)
  let times = 0
  const slow = {
    ...chain,
    simulate: (async (...input: Parameters<typeof chain.simulate>) => {
      const simulated = await chain.simulate(...input)
      times += 1
      if (times === 1) await work()
      clock.advance(1_000)
      return simulated
    }) as typeof chain.simulate,
  }
  await evaluateDueWallets({ ...rebalancer.parts, chains: new Map([['polygon', slow]]) })
  expect(times).toBe(1)
}

const movesOf = async (use: RebalancedWallet) =>
  (await rebalancer.operationsOf(use)).map(({ type, state, planned_value }) => ({ type, state, worth: planned_value }))

test('nothing is deposited once a person switched yield off, even if a deployment was chosen before', async () => {
  await onlyAave()
  const use = await rebalancer.monitor(await rebalancer.fundedClient(), 100n * USDC)
  await evaluateDuring(() => change(use, { enableYield: false }))
  expect(await movesOf(use)).toEqual([])
  expect(await rebalancer.rowOf(use)).toMatchObject({
    due_at: expect.any(Date),
    last_evaluation: { outcome: 'waiting' },
  })
  await evaluateAll()
  expect(await movesOf(use)).toEqual([])
})

test('a refill is as large as the buffer that a person set while a larger one was chosen', async () => {
  await onlyAave()
  const use = await rebalancer.deployed({ [AAVE]: 600n * USDC })
  await change(use, { buffer: 700n * USDC })
  await evaluateDuring(() => change(use, { buffer: 450n * USDC }))
  await next(use)
  expect(await movesOf(use)).toEqual([{ type: 'UNWIND', state: 'COMPLETED', worth: 50n * USDC }])
})

test('no bytes are issued of what was chosen for settings that a person changed before the next evaluation', async () => {
  await onlyAave()
  const use = await rebalancer.monitor(await rebalancer.fundedClient(), 100n * USDC)
  await evaluateAll()
  expect(await movesOf(use)).toMatchObject([{ type: 'SUPPLY', state: 'EXECUTING' }])
  rebalancer.engine.clock.advance(1_000)
  await change(use, { enableYield: false })
  expect(await createTestAgent(rebalancer.engine, use.client).poll()).toBeUndefined()
  expect(await movesOf(use)).toMatchObject([{ type: 'SUPPLY', state: 'ABORTED' }])
})
