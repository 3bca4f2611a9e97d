import { beforeEach, expect, test } from 'vitest'
import { createTestAgent, type TestAgent } from '../../testing/agents/test-agent.ts'
import { addApprover } from '../../testing/changes/add-approver.ts'
import { expectLedgerMatchesChain, expectValidLedger } from '../../testing/ledger/expect-ledger.ts'
import { MANUAL_POLICY, setPolicy } from '../../testing/rebalancing/operational-wallets.ts'
import { type RebalancedWallet, useRebalancer } from '../../testing/rebalancing/use-rebalancer.ts'
import { USDC } from '../../testing/units.ts'
import { AGENT_UNSETTLED_RETRY_MS, LEFT_ALLOWANCE_GRACE_MS } from '../kernel/index.ts'
import { approveOperation } from '../operations/index.ts'
import { readAllowance } from '../venues/index.ts'
import { evaluateDueWallets } from './evaluate-due-wallets.ts'
import { scheduleDriftedWallets } from './schedule-drifted-wallets.ts'

const AAVE = 'aave-v3:polygon:USDC'
const rebalancer = useRebalancer()
const { fundedClient, monitor, change, evaluateAll, operationsOf } = rebalancer
let use: RebalancedWallet
let agent: TestAgent

const setStatus = (status: 'active' | 'paused', keys: readonly string[] = [AAVE]) =>
  rebalancer.engine.db.updateTable('strategies').set({ status }).where('key', 'in', keys).execute()
const allowance = async () => {
  const { engine } = rebalancer
  return (await readAllowance(engine.chain, engine.strategy(AAVE), use.client.wallet.address))!.amount
}
const remembered = () =>
  rebalancer.engine.db
    .selectFrom('left_allowances')
    .select('strategy_id')
    .where('op_wallet_id', '=', use.wallet.opWalletId)
    .execute()
const last = async () => (await operationsOf(use)).at(-1)!

/** A deployment of 600 USDC whose approval landed; its strategy was paused before the deposit. */
beforeEach(async () => {
  const { engine, dev } = rebalancer
  await engine.db.updateTable('strategies').set({ status: 'paused' }).execute()
  await setStatus('active')
  use = await monitor(await fundedClient(), 400n * USDC)
  agent = createTestAgent(engine, use.client)
  await evaluateAll()
  const approval = await agent.pollRequired()
  await agent.submitted(approval, await dev.included(await agent.send(approval)))
  await engine.settle()
  await setStatus('paused')
  expect(await agent.poll()).toBeUndefined()
  expect(await last()).toMatchObject({ type: 'SUPPLY', state: 'ABORTED' })
  expect(await allowance()).toBe(600n * USDC)
})

async function afterGrace(): Promise<void> {
  rebalancer.engine.clock.advance(LEFT_ALLOWANCE_GRACE_MS)
  await evaluateAll()
}

test('an allowance that an aborted deployment left is revoked, and the ledger equals the chain', async () => {
  await evaluateAll()
  expect(await last(), 'a next deposit may use it up').toMatchObject({ type: 'SUPPLY' })
  await afterGrace()
  const planned = await last()
  expect(planned).toMatchObject({ type: 'REVOKE', state: 'EXECUTING', amount: 600n * USDC })
  const done = await agent.carryOut(await use.client.operation({ operationId: planned.id }))
  expect(done).toMatchObject({ state: 'COMPLETED', settledAmount: 0n, transactions: [{ kind: 'revoke' }] })
  expect(await allowance()).toBe(0n)
  await evaluateAll()
  expect(await last()).toMatchObject({ id: planned.id })
  expect(await remembered()).toEqual([])
  await expectValidLedger(rebalancer.engine)
  await expectLedgerMatchesChain(rebalancer.engine, [use.wallet.walletId])
})

test('a next deposit uses it up, and nothing is revoked', async () => {
  await setStatus('active')
  rebalancer.engine.clock.advance(30_000)
  await evaluateAll()
  const deposit = await last()
  expect(deposit).toMatchObject({ type: 'SUPPLY', state: 'EXECUTING' })
  await agent.carryOut(await use.client.operation({ operationId: deposit.id }))
  await afterGrace()
  expect(await last()).toMatchObject({ id: deposit.id })
  expect(await remembered()).toEqual([])
})

test('a revocation that no agent has yields to any other move', async () => {
  await afterGrace()
  const revocation = await last()
  await setStatus('active')
  await change(use, { buffer: 300n * USDC })
  await evaluateAll()
  const operations = await operationsOf(use)
  expect(operations.find(({ id }) => id === revocation.id)).toMatchObject({ type: 'REVOKE', state: 'ABORTED' })
  expect(operations.at(-1)).toMatchObject({ type: 'SUPPLY', state: 'EXECUTING', amount: 700n * USDC })
})

test('a revocation that an agent has makes other moves wait, and two planners plan one', async () => {
  rebalancer.engine.clock.advance(LEFT_ALLOWANCE_GRACE_MS)
  await Promise.all([evaluateDueWallets(rebalancer.parts), evaluateDueWallets(rebalancer.parts)])
  await evaluateAll()
  expect((await operationsOf(use)).filter(({ type }) => type === 'REVOKE')).toHaveLength(1)
  const leased = await agent.pollRequired()
  await setStatus('active')
  await change(use, { buffer: 300n * USDC })
  await evaluateAll()
  expect(await last()).toMatchObject({ type: 'REVOKE', state: 'EXECUTING' })
  await agent.submitted(leased, await rebalancer.dev.included(await agent.send(leased)))
  await rebalancer.engine.settle()
  await evaluateAll()
  expect(await last()).toMatchObject({ type: 'SUPPLY', amount: 700n * USDC })
})

test('an allowance that a pending operation of a client needs is not revoked', async () => {
  const { engine } = rebalancer
  await setPolicy(engine, use.wallet.organizationId, MANUAL_POLICY)
  await afterGrace()
  const revocation = await last()
  expect(revocation).toMatchObject({ type: 'REVOKE', state: 'PENDING_APPROVAL' })
  await setStatus('active')
  const deposit = await use.client.supply(600n * USDC, AAVE)
  expect(
    deposit.transactions.map(({ kind }) => kind),
    'it uses the allowance',
  ).toEqual(['supply'])
  const userId = await addApprover(engine, use.wallet.organizationId)
  const scope = { organizationId: use.wallet.organizationId, walletProfileId: null }
  await approveOperation(engine.parts, { scope, operationId: revocation.id, userId })
  expect(await agent.poll(), 'the deposit goes first').toBeUndefined()
  expect((await use.client.complete(deposit)).state).toBe('COMPLETED')
  expect(await allowance()).toBe(0n)
  engine.clock.advance(AGENT_UNSETTLED_RETRY_MS)
  expect(await agent.poll()).toBeUndefined()
  expect(await last()).toMatchObject({ id: revocation.id, state: 'ABORTED' })
})

test('a revocation that the policy rejects is not planned again at once', async () => {
  const { engine } = rebalancer
  await setPolicy(engine, use.wallet.organizationId, {
    ...MANUAL_POLICY,
    mode: 'conditional',
    rules: [{ name: 'none', when: {}, then: 'reject' }],
  })
  await afterGrace()
  expect(await last()).toMatchObject({ type: 'REVOKE', state: 'REJECTED' })
  const { length } = await operationsOf(use)
  await afterGrace()
  expect(await operationsOf(use)).toHaveLength(length)
})

test('what was revoked without Weir is forgotten, and the safety net finds what is left', async () => {
  const { engine, dev } = rebalancer
  await change(use, { buffer: 1_000n * USDC })
  await engine.db.updateTable('operational_wallets').set({ due_at: null }).execute()
  const net = { settings: rebalancer.parts.rebalancing, now: engine.clock.now() }
  expect(await scheduleDriftedWallets(engine.db, engine.parts.chains, net)).toBeGreaterThan(0)
  expect((await rebalancer.rowOf(use)).due_at).not.toBeNull()
  const { revocation } = (await readAllowance(engine.chain, engine.strategy(AAVE), use.client.wallet.address))!
  await dev.included(await dev.call(use.client.account, revocation.to, revocation.data as `0x${string}`))
  await afterGrace()
  expect(await last()).toMatchObject({ type: 'SUPPLY' })
  expect(await remembered()).toEqual([])
  await engine.db.updateTable('operational_wallets').set({ due_at: null }).execute()
  await scheduleDriftedWallets(engine.db, engine.parts.chains, net)
  expect((await rebalancer.rowOf(use)).due_at).toBeNull()
})

test('approvals that were never sent leave nothing to revoke, and keep no wallet due', async () => {
  const other = 'erc4626:polygon:USDC:upgradeable'
  await rebalancer.engine.db.deleteFrom('left_allowances').execute()
  await setStatus('active', [AAVE, other])
  // The agent's signer is down.
  for (let turn = 0; turn < 9; turn += 1) {
    await evaluateAll()
    const given = await agent.poll()
    if (given) await agent.failed(given)
    rebalancer.engine.clock.advance(LEFT_ALLOWANCE_GRACE_MS)
  }
  expect((await remembered()).length).toBeGreaterThan(1)
  let rounds = 0
  while (rounds < 20 && (await evaluateDueWallets(rebalancer.parts)) > 0) rounds += 1
  expect(rounds).toBeLessThan(5)
  await setStatus('paused', [AAVE, other])
})
