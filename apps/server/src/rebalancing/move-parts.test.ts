// A move that is carried out in parts is judged by the whole move. What that is is computed in state/move-total.test.ts.
import { expect, test } from 'vitest'
import { createTestAgent } from '../../testing/agents/test-agent.ts'
import { MANUAL_POLICY, setPolicy } from '../../testing/rebalancing/operational-wallets.ts'
import { type RebalancedWallet, useRebalancer } from '../../testing/rebalancing/use-rebalancer.ts'
import { USDC } from '../../testing/units.ts'
import { approveOperation } from '../operations/index.ts'

const VAULT = 'erc4626:polygon:USDC:lending-markets'
const AAVE = 'aave-v3:polygon:USDC'

const rebalancer = useRebalancer()
const { change, deployed, evaluateAll, fundedClient, monitor, next } = rebalancer

const largeNeedsApproval = ({ wallet }: RebalancedWallet) =>
  setPolicy(rebalancer.engine, wallet.organizationId, {
    ...MANUAL_POLICY,
    mode: 'conditional',
    rules: [{ name: 'large', when: { amountAtLeast: '500.00' }, then: 'require_approval' }],
    default: 'approve',
  })

/** Leaves one strategy, which takes no more than this at once. */
async function only(key: string, maxDeposit: bigint | null): Promise<void> {
  const { db } = rebalancer.engine
  await db.updateTable('strategies').set({ status: 'paused' }).execute()
  const terms = { status: 'active', apy: 0.04, max_deposit: maxDeposit } as const
  await db.updateTable('strategies').set(terms).where('key', '=', key).execute()
}

const operationsOf = async (use: RebalancedWallet) =>
  (await rebalancer.operationsOf(use)).map(({ type, state, planned_value }) => ({ type, state, worth: planned_value }))

/** A person approves what waits for approval. */
async function approve({ client, wallet: { organizationId } }: RebalancedWallet): Promise<void> {
  const { db, parts } = rebalancer.engine
  const users = db.selectFrom('users').select('id').where('organization_id', '=', organizationId)
  const { id: userId } = await users.executeTakeFirstOrThrow()
  const operations = db.selectFrom('operations').select('id').where('organization_id', '=', organizationId)
  const { id: operationId } = await operations.where('state', '=', 'PENDING_APPROVAL').executeTakeFirstOrThrow()
  await approveOperation({ ...parts, environment: 'sandbox' }, { scope: client.scope, operationId, userId })
}

test('a deployment that a maximum splits needs the approval that the whole surplus needs', async () => {
  await only(AAVE, 400n * USDC)
  const use = await monitor(await fundedClient(), 100n * USDC)
  await largeNeedsApproval(use)
  await evaluateAll()
  expect(await operationsOf(use)).toEqual([{ type: 'SUPPLY', state: 'PENDING_APPROVAL', worth: 400n * USDC }])
})

test('a refill that a vault pays in parts needs the approval that the whole shortfall needs', async () => {
  await only(VAULT, null)
  const use = await deployed({ [VAULT]: 900n * USDC })
  await largeNeedsApproval(use)
  const pays = (amount: bigint) => rebalancer.dev.setStrategyState(VAULT, { liquidity: 'return', amount })
  await rebalancer.dev.setStrategyState(VAULT, { liquidity: 'leave' })
  await pays(300n * USDC)
  await change(use, { buffer: 700n * USDC })
  await evaluateAll()
  const half = { type: 'UNWIND', worth: 300n * USDC }
  expect(await operationsOf(use)).toEqual([{ ...half, state: 'PENDING_APPROVAL' }])
  await approve(use)
  await next(use)
  await pays(300n * USDC)
  rebalancer.engine.clock.advance(300_000)
  await evaluateAll()
  expect(await operationsOf(use)).toEqual([
    { ...half, state: 'COMPLETED' },
    { ...half, state: 'PENDING_APPROVAL' },
  ])
})

test('a refill that the agent refused, after people approved it, needs their approval for each half', async () => {
  await only(AAVE, null)
  const use = await deployed({ [AAVE]: 900n * USDC })
  await largeNeedsApproval(use)
  await change(use, { buffer: 700n * USDC })
  await evaluateAll()
  expect(await operationsOf(use)).toEqual([{ type: 'UNWIND', state: 'PENDING_APPROVAL', worth: 600n * USDC }])
  await approve(use)
  const agent = createTestAgent(rebalancer.engine, use.client)
  await agent.failed(await agent.pollRequired(), { error: 'LIMIT_REACHED: at most 400 USDC' })
  rebalancer.engine.clock.advance(60_000)
  await evaluateAll()
  const half = { type: 'UNWIND', state: 'PENDING_APPROVAL', worth: 300n * USDC }
  expect((await operationsOf(use)).slice(1)).toEqual([half])
  await approve(use)
  await next(use)
  await evaluateAll()
  expect((await operationsOf(use)).slice(2)).toEqual([half])
})
