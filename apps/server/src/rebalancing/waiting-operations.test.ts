// Operations that wait for people: what happens to the wallet's buffer meanwhile.
import { beforeEach, expect, test } from 'vitest'
import { BY_KEY } from '../../testing/operations/requesters.ts'
import { MANUAL_POLICY, setPolicy } from '../../testing/rebalancing/operational-wallets.ts'
import { useRebalancer } from '../../testing/rebalancing/use-rebalancer.ts'
import { USDC } from '../../testing/units.ts'
import { allocate } from './allocate.ts'
import { scheduleDriftedWallets } from './schedule-drifted-wallets.ts'

const AAVE = 'aave-v3:polygon:USDC'
const rebalancer = useRebalancer()
const { change, deployed, evaluateAll, operationsOf, rowOf } = rebalancer

beforeEach(async () => {
  const { db } = rebalancer.engine
  await db.updateTable('strategies').set({ status: 'paused' }).execute()
  await db.updateTable('strategies').set({ status: 'active', apy: 0.04 }).where('key', '=', AAVE).execute()
})

async function laterEvaluation(): Promise<void> {
  const { engine, parts } = rebalancer
  engine.clock.advance(3_600_000)
  await scheduleDriftedWallets(engine.db, engine.parts.chains, { settings: parts.rebalancing, now: engine.clock.now() })
  await evaluateAll()
}

test('a buffer that is short while a requested deployment awaits approval counts as short', async () => {
  const use = await deployed({ [AAVE]: 600n * USDC })
  await change(use, { buffer: 300n * USDC })
  await setPolicy(rebalancer.engine, use.wallet.organizationId, MANUAL_POLICY)
  const { operation } = await allocate(rebalancer.parts, {
    opWallet: { ...use.wallet, buffer: 300n * USDC },
    wallet: use.client.wallet,
    amount: 50n * USDC,
    strategyId: rebalancer.engine.strategy(AAVE).id,
    requestedBy: BY_KEY,
  })
  expect(operation.state).toBe('PENDING_APPROVAL')
  expect((await rowOf(use)).short_since).toBeNull()
  await rebalancer.dev.included(await use.client.spend(340n * USDC))
  await rebalancer.engine.settle()
  await laterEvaluation()
  expect((await rowOf(use)).short_since).not.toBeNull()
})

test('a refill that awaits approval is aborted once the buffer is full again', async () => {
  const use = await deployed({ [AAVE]: 600n * USDC })
  await setPolicy(rebalancer.engine, use.wallet.organizationId, MANUAL_POLICY)
  await change(use, { buffer: 500n * USDC })
  await evaluateAll()
  expect(await operationsOf(use)).toMatchObject([{ type: 'UNWIND', state: 'PENDING_APPROVAL' }])
  await rebalancer.dev.included(await use.client.receive(5_000n * USDC))
  await rebalancer.engine.settle()
  await laterEvaluation()
  const [refill] = await operationsOf(use)
  expect(refill).toMatchObject({ type: 'UNWIND', state: 'ABORTED' })
})
