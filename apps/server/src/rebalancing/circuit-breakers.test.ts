import { beforeEach, expect, test } from 'vitest'
import { BY_KEY } from '../../testing/operations/requesters.ts'
import type { TestClient } from '../../testing/operations/test-client.ts'
import { type RebalancedWallet, useRebalancer } from '../../testing/rebalancing/use-rebalancer.ts'
import { USDC } from '../../testing/units.ts'
import { evaluateBreakers, setBreakerSettings } from '../breakers/index.ts'
import type { OperationTransaction } from '../operations/index.ts'
import { readOperation } from '../operations/lifecycle/reads/read-operations.ts'
import { checkMove } from '../operations/planning/check-move.ts'
import { refreshRates, refreshRiskFacts } from '../venues/index.ts'
import { allocate } from './allocate.ts'
import { previewRebalance } from './preview-rebalance.ts'

const UPGRADEABLE = 'erc4626:polygon:USDC:upgradeable'
const AAVE = 'aave-v3:polygon:USDC'
const SETTINGS = {
  priceFallBps: null,
  pegDistanceBps: 200,
  withdrawableShareBps: null,
  onUpgrade: true,
  withdraw: false,
  recoverySeconds: 60,
}

const rebalancer = useRebalancer()
const { fundedClient, monitor, evaluateAll, operationsOf } = rebalancer
const strategyIdOf = (key: string) => rebalancer.engine.strategy(key).id

beforeEach(async () => {
  const { engine } = rebalancer
  await refreshRiskFacts(engine.parts, engine.chain)
})

/** An operational wallet, and two strategies of which the upgradeable vault earns more. */
async function opened(buffer: bigint, client?: TestClient): Promise<RebalancedWallet> {
  const use = await monitor(client ?? (await fundedClient()), buffer)
  const { db } = rebalancer.engine
  await db.updateTable('strategies').set({ status: 'paused' }).execute()
  for (const [key, apy] of [
    [AAVE, 0.02],
    [UPGRADEABLE, 0.05],
  ] as const)
    await db.updateTable('strategies').set({ status: 'active', apy }).where('key', '=', key).execute()
  return use
}

const settings = (use: RebalancedWallet, change: Partial<typeof SETTINGS> = {}) =>
  setBreakerSettings(rebalancer.engine.parts, {
    organizationId: use.wallet.organizationId,
    settings: { ...SETTINGS, ...change },
  })

/** Other code at the vault, until `work` is done. */
async function upgraded(work: () => Promise<void>): Promise<void> {
  const { engine, dev } = rebalancer
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

test('an open breaker sends deployments to the next best strategy, and says why', async () => {
  const use = await opened(100n * USDC)
  await settings(use)
  await upgraded(async () => {
    const why = 'a circuit breaker is open: the code of its contracts was replaced'
    const preview = await previewRebalance(rebalancer.parts, { opWallet: use.wallet })
    const verdict = preview.weighed.find(({ strategyId }) => strategyId === strategyIdOf(UPGRADEABLE))?.verdict
    expect(verdict).toBe(why)
    await evaluateAll()
    expect(await operationsOf(use)).toMatchObject([{ type: 'SUPPLY', strategy_id: strategyIdOf(AAVE) }])
    const [move] = await operationsOf(use)
    expect(JSON.stringify(move!.reasons)).toContain(why)
  })
})

test('a deployment that waits is aborted when a breaker opens, before an agent gets its bytes', async () => {
  const use = await opened(100n * USDC)
  await settings(use)
  await evaluateAll()
  expect(await operationsOf(use)).toMatchObject([{ state: 'EXECUTING', strategy_id: strategyIdOf(UPGRADEABLE) }])
  await upgraded(async () => {
    await evaluateAll()
    const [first] = await operationsOf(use)
    expect(first).toMatchObject({ state: 'ABORTED' })
    const scope = { organizationId: use.wallet.organizationId, walletProfileId: null }
    const { transactions } = await readOperation(rebalancer.engine.db, scope, first!.id)
    expect(transactions[0]).toMatchObject({ error: expect.stringContaining('a circuit breaker is open') })
    rebalancer.engine.clock.advance(30_000)
    await evaluateAll()
    expect((await operationsOf(use)).at(-1)).toMatchObject({ state: 'EXECUTING', strategy_id: strategyIdOf(AAVE) })
  })
})

test('a person who names the strategy deploys there with a warning; without a name Weir refuses', async () => {
  const client = await fundedClient()
  const use = await opened(100n * USDC, client)
  await rebalancer.change(use, { enableYield: false })
  await settings(use)
  await upgraded(async () => {
    await rebalancer.engine.db.updateTable('strategies').set({ status: 'paused' }).where('key', '=', AAVE).execute()
    const input = { opWallet: use.wallet, wallet: client.wallet, amount: 10n * USDC, requestedBy: BY_KEY }
    await expect(allocate(rebalancer.parts, input)).rejects.toMatchObject({
      code: 'AMOUNT_OUT_OF_BOUNDS',
      message: expect.stringContaining('a circuit breaker is open'),
    })
    const named = await allocate(rebalancer.parts, { ...input, strategyId: strategyIdOf(UPGRADEABLE) })
    expect(named.warnings).toEqual([expect.stringContaining('a circuit breaker is open')])
    expect(named.operation.state).toBe('EXECUTING')
    await evaluateAll()
    expect(await operationsOf(use)).toMatchObject([{ state: 'EXECUTING' }])
  })
})

test('with the setting, all of a position is withdrawn although the buffer is full', async () => {
  const client = await fundedClient()
  expect(await client.complete(await client.supply(600n * USDC, UPGRADEABLE))).toMatchObject({ state: 'COMPLETED' })
  const use = await opened(400n * USDC, client)
  await settings(use)
  await upgraded(async () => {
    await evaluateAll()
    expect(await operationsOf(use)).toEqual([])
    await settings(use, { withdraw: true })
    await evaluateAll()
    expect(await operationsOf(use)).toMatchObject([
      { type: 'UNWIND', state: 'EXECUTING', amount: null, strategy_id: strategyIdOf(UPGRADEABLE) },
    ])
    const scope = { organizationId: use.wallet.organizationId, walletProfileId: null }
    const [planned] = await operationsOf(use)
    const operation = await readOperation(rebalancer.engine.db, scope, planned!.id)
    const check = () => checkMove(rebalancer.parts, rebalancer.engine.chain, operation)
    expect(await check()).toMatchObject({ kind: 'valid' })
    await settings(use, { withdraw: false })
    const full = { kind: 'invalid', reason: 'The buffer is already full.' }
    expect(await check()).toMatchObject(full)
    // Bytes that died are no reason to withdraw again.
    const transactions = operation.transactions.map((one) => ({ ...one, state: 'stale' }) as OperationTransaction)
    const died = { ...operation, transactions }
    expect(await checkMove(rebalancer.parts, rebalancer.engine.chain, died)).toMatchObject(full)
  })
})

test('a token off its peg stops every strategy of the token', async () => {
  const { engine, dev } = rebalancer
  const use = await opened(100n * USDC)
  await settings(use)
  await dev.setStrategyState(AAVE, { tokenPrice: 88_000_000n })
  await refreshRiskFacts(engine.parts, engine.chain)
  await evaluateAll()
  expect(await operationsOf(use)).toEqual([])
  const { weighed, moves } = await previewRebalance(rebalancer.parts, { opWallet: use.wallet })
  expect(moves).toEqual([])
  expect(new Set(weighed.map(({ verdict }) => verdict))).toEqual(
    new Set(['a circuit breaker is open: its token is 12.00% off its peg']),
  )
  await dev.setStrategyState(AAVE, { tokenPrice: 100_000_000n })
  await refreshRiskFacts(engine.parts, engine.chain)
  await evaluateBreakers(engine.parts)
  engine.clock.advance(60_000)
  await refreshRiskFacts(engine.parts, engine.chain)
  await refreshRates(engine.parts, engine.chain)
  await evaluateBreakers(engine.parts)
  await evaluateAll()
  expect(await operationsOf(use)).toMatchObject([{ type: 'SUPPLY', state: 'EXECUTING' }])
})
