import { expect, test } from 'vitest'
import { createTestAgent } from '../../testing/agents/test-agent.ts'
import { type RebalancedWallet, useRebalancer } from '../../testing/rebalancing/use-rebalancer.ts'
import { USDC } from '../../testing/units.ts'
import { evaluateBreakers, setBreakerSettings } from '../breakers/index.ts'
import { AGENT_WITHHELD_MS, REPLACE_AFTER_MS } from '../kernel/index.ts'
import { failWithheldOperations, pauseReason } from '../operations/index.ts'
import { offerStuckTransactions } from '../operations/leasing/offer-stuck-transactions.ts'
import { refreshRates, refreshRiskFacts } from '../venues/index.ts'
import { evaluateDueWallets } from './evaluate-due-wallets.ts'
import { type DepositLimits, NO_LIMITS } from './limits/deposit-limits.ts'
import { limitReasonFor } from './limits/limit-reason.ts'
import { setDepositLimits } from './limits/set-deposit-limits.ts'
import type { RebalanceParts } from './parts.ts'

const VAULT = 'erc4626:polygon:USDC:lending-markets'
const AAVE = 'aave-v3:polygon:USDC'

const rebalancer = useRebalancer()
const { fundedClient, monitor, evaluateAll, operationsOf } = rebalancer

/** A deployment of 900 USDC into the vault that waits for an agent; the other strategy earns less. */
async function waitingDeployment(evaluate = evaluateAll): Promise<RebalancedWallet> {
  const { engine } = rebalancer
  await refreshRates(engine.parts, engine.chain)
  const use = await monitor(await fundedClient(), 100n * USDC)
  await engine.db.updateTable('strategies').set({ status: 'paused' }).execute()
  for (const [key, apy] of [
    [AAVE, 0.02],
    [VAULT, 0.05],
  ] as const)
    await engine.db.updateTable('strategies').set({ status: 'active', apy }).where('key', '=', key).execute()
  await evaluate()
  expect(await operationsOf(use)).toMatchObject([
    { type: 'SUPPLY', state: 'EXECUTING', strategy_id: engine.strategy(VAULT).id },
  ])
  return use
}

const limit = (use: RebalancedWallet, limits: Partial<DepositLimits>) =>
  setDepositLimits(rebalancer.parts, {
    organizationId: use.wallet.organizationId,
    limits: { ...NO_LIMITS, ...limits },
  })
const agentOf = ({ client }: RebalancedWallet, parts = rebalancer.parts) =>
  createTestAgent(rebalancer.engine, client, parts)

test('a deployment that waits is aborted once its strategy leaves the allow-list, and another one is planned', async () => {
  const { engine } = rebalancer
  const use = await waitingDeployment()
  engine.clock.advance(1)
  await limit(use, { allowedStrategies: [engine.strategy(AAVE).id] })
  await evaluateAll()
  const [first] = await operationsOf(use)
  expect(first).toMatchObject({ state: 'ABORTED' })
  const { transactions } = await use.client.operation({ operationId: first!.id })
  expect(transactions[0]).toMatchObject({ error: expect.stringContaining('allow-list') })
  engine.clock.advance(30_000)
  await evaluateAll()
  expect((await operationsOf(use)).at(-1)).toMatchObject({
    state: 'EXECUTING',
    strategy_id: engine.strategy(AAVE).id,
  })
})

test('an agent gets no bytes of a deployment that the limits forbid since, also before the next evaluation', async () => {
  const use = await waitingDeployment()
  rebalancer.engine.clock.advance(1)
  await limit(use, { allowedStrategies: [] })
  expect(await agentOf(use).poll()).toBeUndefined()
  expect(await operationsOf(use)).toMatchObject([{ state: 'EXECUTING' }])
})

test('under the default limits of live, a deployment that waits does not follow a loss', async () => {
  const { engine, dev } = rebalancer
  const rebalancing = { ...rebalancer.parts.rebalancing, depositLimits: 'conservative' as const }
  const limited = { ...rebalancer.parts, rebalancing }
  const parts: RebalanceParts = { ...limited, limitReason: limitReasonFor(limited) }
  const evaluate = async () => {
    engine.clock.advance(1)
    while ((await evaluateDueWallets(parts)) > 0);
  }
  const use = await waitingDeployment(evaluate)
  await dev.setStrategyState(VAULT, { lossBasisPoints: 300 })
  await refreshRates(engine.parts, engine.chain)
  expect(await agentOf(use, parts).poll()).toBeUndefined()
  await engine.db.updateTable('operational_wallets').set({ due_at: engine.clock.now() }).execute()
  await evaluate()
  expect((await operationsOf(use))[0]).toMatchObject({ state: 'ABORTED' })
})

test('a deployment that a person requested goes on, whatever the limits say later', async () => {
  const { engine } = rebalancer
  const use = await waitingDeployment()
  const requested = engine.db.updateTable('operations').set({ origin: 'explicit' })
  await requested.where('op_wallet_id', '=', use.wallet.opWalletId).execute()
  engine.clock.advance(1)
  await limit(use, { allowedStrategies: [] })
  await evaluateAll()
  expect(await operationsOf(use)).toMatchObject([{ state: 'EXECUTING' }])
  expect(await agentOf(use).poll()).toBeDefined()
})

/** The agent sends the approval, and it is final. */
async function landApproval(use: RebalancedWallet): Promise<void> {
  const { engine } = rebalancer
  const agent = agentOf(use)
  const approval = await agent.pollRequired()
  expect(approval.transaction.kind).toBe('approve')
  const txHash = await agent.send(approval)
  await agent.submitted(approval, txHash)
  await engine.dev.included(txHash)
  await engine.settle()
}

test('between approval and deposit, a limit ends the deployment at once', async () => {
  const use = await waitingDeployment()
  await landApproval(use)
  rebalancer.engine.clock.advance(1)
  await limit(use, { allowedStrategies: [] })
  expect(await agentOf(use).poll()).toBeUndefined()
  await evaluateAll()
  expect(await operationsOf(use)).toMatchObject([{ state: 'ABORTED' }])
})

test('between approval and deposit, a changed buffer that the deposit leaves ends nothing', async () => {
  const use = await waitingDeployment()
  await landApproval(use)
  rebalancer.engine.clock.advance(1)
  await rebalancer.change(use, { buffer: 50n * USDC })
  await evaluateAll()
  expect(await operationsOf(use)).toMatchObject([{ state: 'EXECUTING' }])
  expect(await agentOf(use).poll()).toBeDefined()
})

test('a deposit whose bytes an agent has does not end by a limit', async () => {
  const use = await waitingDeployment()
  await landApproval(use)
  await agentOf(use).pollRequired()
  rebalancer.engine.clock.advance(1)
  await limit(use, { allowedStrategies: [] })
  await evaluateAll()
  expect(await operationsOf(use)).toMatchObject([{ state: 'EXECUTING' }])
})

test('a breaker that opens between approval and deposit ends the deployment, and withdraws what is there', async () => {
  const { engine, dev } = rebalancer
  const UPGRADEABLE = 'erc4626:polygon:USDC:upgradeable'
  await engine.db.updateTable('strategies').set({ status: 'paused' }).where('key', '!=', UPGRADEABLE).execute()
  await engine.db
    .updateTable('strategies')
    .set({ status: 'active', apy: 0.05 })
    .where('key', '=', UPGRADEABLE)
    .execute()
  const client = await fundedClient()
  expect(await client.complete(await client.supply(300n * USDC, UPGRADEABLE))).toMatchObject({ state: 'COMPLETED' })
  await refreshRiskFacts(engine.parts, engine.chain)
  const use = await monitor(client, 100n * USDC)
  const breakers = { priceFallBps: null, pegDistanceBps: null, withdrawableShareBps: null, onUpgrade: true }
  await setBreakerSettings(engine.parts, {
    organizationId: use.wallet.organizationId,
    settings: { ...breakers, withdraw: true, recoverySeconds: 60 },
  })
  await evaluateAll()
  await landApproval(use)
  await evaluateBreakers(engine.parts)
  try {
    await dev.setStrategyState(UPGRADEABLE, { upgraded: true })
    await refreshRiskFacts(engine.parts, engine.chain)
    await evaluateBreakers(engine.parts)
    await evaluateAll()
    const [first, second] = await operationsOf(use)
    expect(first).toMatchObject({ type: 'SUPPLY', state: 'ABORTED' })
    expect(second).toMatchObject({ type: 'UNWIND', state: 'EXECUTING' })
    const { transactions } = await client.operation({ operationId: first!.id })
    expect(transactions[1]).toMatchObject({ error: expect.stringContaining('a circuit breaker is open') })
    const left = engine.db.selectFrom('left_allowances').select('strategy_id')
    expect(await left.where('op_wallet_id', '=', use.wallet.opWalletId).execute()).toHaveLength(1)
  } finally {
    await dev.setStrategyState(UPGRADEABLE, { upgraded: false })
    await refreshRiskFacts(engine.parts, engine.chain)
  }
})

test('deposit bytes whose lease lapsed are not issued again after a breaker opened, and end in half an hour', async () => {
  const { engine } = rebalancer
  const use = await waitingDeployment()
  await landApproval(use)
  const agent = agentOf(use)
  const deposit = await agent.pollRequired()
  await openBreaker(use)
  engine.clock.advance(3_600_000)
  expect(await agent.poll()).toBeUndefined()
  await evaluateAll()
  const [first] = await operationsOf(use)
  expect(first).toMatchObject({ state: 'EXECUTING' })
  const operation = await use.client.operation({ operationId: first!.id })
  expect(await pauseReason(engine.parts, operation)).toContain('a circuit breaker is open')
  expect(await failWithheldOperations(engine.parts)).toBe(0)
  engine.clock.advance(AGENT_WITHHELD_MS)
  expect(await failWithheldOperations(engine.parts)).toBe(1)
  const { state, transactions } = await use.client.operation({ operationId: first!.id })
  expect(state).toBe('ABORTED')
  expect(transactions[1]).toMatchObject({
    state: 'outstanding',
    error: expect.stringContaining('a circuit breaker is open'),
  })
  engine.clock.advance(30_000)
  await evaluateAll()
  // At the same nonce, so at most one of the two lands.
  const next = await agent.pollRequired()
  expect(next.operation.strategyId).toBe(engine.strategy(AAVE).id)
  expect(next.transaction.nonce).toBe(deposit.transaction.nonce)
})

test('the fees of a stuck deposit do not rise after a breaker opened', async () => {
  const { engine, dev } = rebalancer
  const use = await waitingDeployment()
  await landApproval(use)
  const agent = agentOf(use)
  const deposit = await agent.pollRequired()
  await dev.withoutMining(async () => {
    await agent.submitted(deposit, await agent.send(deposit))
    await openBreaker(use)
    engine.clock.advance(REPLACE_AFTER_MS + 1_000)
    expect(await offerStuckTransactions(engine.parts)).toBe(1)
    expect(await agent.poll()).toBeUndefined()
    await engine.db.updateTable('circuit_breakers').set({ state: 'closed' }).execute()
    engine.clock.advance(REPLACE_AFTER_MS + 1_000)
    expect((await agent.pollRequired()).transaction.transactionId).toBe(deposit.transaction.transactionId)
  })
})

function openBreaker({ wallet: { organizationId } }: RebalancedWallet) {
  const { db, clock, strategy } = rebalancer.engine
  const opened = { state: 'open', opened_at: clock.now(), updated_at: clock.now() } as const
  return db
    .insertInto('circuit_breakers')
    .values({ organization_id: organizationId, strategy_id: strategy(VAULT).id, kind: 'upgrade', ...opened })
    .execute()
}
