// Also tested elsewhere: over HTTP, with who may ask (surfaces/core/treasury/withdrawals.test.ts).
import { expect, test } from 'vitest'
import { createTestAgent } from '../../testing/agents/test-agent.ts'
import { BY_KEY } from '../../testing/operations/requesters.ts'
import { MANUAL_POLICY, setPolicy } from '../../testing/rebalancing/operational-wallets.ts'
import { LENDING, useAwaited } from '../../testing/rebalancing/use-awaited.ts'
import { USDC } from '../../testing/units.ts'
import { inTransaction } from '../database/index.ts'
import { cancelAwaited } from './cancel-awaited.ts'
import { evaluateDueWallets } from './evaluate-due-wallets.ts'
import { scheduleDriftedWallets } from './schedule-drifted-wallets.ts'
import { withdrawPartly } from './withdraw-partly.ts'

const { rebalancer, use, target, comeFree, request, awaited, states, carryOut, evaluateLater } = useAwaited()

/** Of all other strategies than the vault, this one takes deposits and earns something. */
async function onlyEarns(key: string) {
  const { db } = rebalancer.engine
  await db.updateTable('strategies').set({ status: 'paused' }).where('key', '<>', LENDING).execute()
  await db.updateTable('strategies').set({ status: 'active', apy: 0.05 }).where('key', '=', key).execute()
}

test('what can be paid is paid, and the rest is fetched for the same requester as it comes free', async () => {
  await comeFree(40n)
  const { operation, awaited: opened } = await request(50n * USDC)
  expect(operation).toMatchObject({ amount: 40n * USDC, state: 'EXECUTING', part: { total: 50n * USDC } })
  expect(opened!.withdrawal).toMatchObject({ amount: 50n * USDC, fetched: 0n, requestedBy: BY_KEY })
  expect((await carryOut(operation!.operationId)).state).toBe('COMPLETED')
  expect(await awaited()).toMatchObject({ fetched: 40n * USDC })

  expect(await evaluateLater()).toEqual([])
  expect((await rebalancer.rowOf(use())).last_evaluation).toMatchObject({ outcome: 'waiting' })
  await comeFree(100n)
  const [next, ...more] = await evaluateLater()
  expect(more).toEqual([])
  expect(next).toMatchObject({ type: 'UNWIND', origin: 'explicit', amount: 10n * USDC, state: 'EXECUTING' })
  const fetched = await use().client.operation({ operationId: next!.id })
  expect(fetched).toMatchObject({ requestedBy: BY_KEY, part: { total: 50n * USDC, remaining: 0n } })
  await carryOut(next!.id)
  expect(await evaluateLater()).toEqual([])
  expect(await states()).toEqual(['fetched'])
  expect(await awaited()).toBeUndefined()
})

test('a whole position is withdrawn to its end, however often its parts come free', async () => {
  await comeFree(30n)
  const { operation } = await request(null)
  await carryOut(operation!.operationId)
  await comeFree(20n)
  const [second] = await evaluateLater()
  await carryOut(second!.id)
  await rebalancer.dev.setStrategyState(LENDING, { liquidity: 'return' })
  const [last] = await evaluateLater()
  expect(last).toMatchObject({ amount: null })
  await carryOut(last!.id)
  await evaluateLater()
  expect(await states()).toEqual(['fetched'])
  expect((await target().catch((error) => error)).code).toBe('INVALID_OPERATION_STATUS')
})

test('an amount that the agent refuses is halved, and what it accepts is fetched part by part', async () => {
  await request(80n * USDC)
  await comeFree(100n)
  const agent = createTestAgent(rebalancer.engine, use().client)
  for (const asked of [80n, 40n]) {
    const [next] = await evaluateLater()
    expect(next).toMatchObject({ amount: asked * USDC })
    if (asked > 50n) await agent.failed(await agent.pollRequired(), { error: 'LIMIT_REACHED: at most 50 USDC' })
    else await carryOut(next!.id)
  }
  expect(await awaited()).toMatchObject({ fetched: 40n * USDC, refused: { amount: 80n * USDC, isPaidSince: true } })
  const [rest] = await evaluateLater()
  expect(rest).toMatchObject({ amount: 40n * USDC })
  await carryOut(rest!.id)
  await evaluateLater()
  expect(await states()).toEqual(['fetched'])
})

test('while nothing can be paid, nothing is planned, and the wish waits', async () => {
  const { operation, awaited: opened } = await request(25n * USDC)
  expect(operation).toBeUndefined()
  expect(opened!.withdrawal).toMatchObject({ amount: 25n * USDC, fetched: 0n })
  expect(await evaluateLater()).toEqual([])
  await comeFree(100n)
  expect(await evaluateLater()).toMatchObject([{ amount: 25n * USDC, state: 'EXECUTING' }])
})

test('what can be paid at once is an ordinary withdrawal', async () => {
  await comeFree(60n)
  expect(await request(50n * USDC)).toMatchObject({ operation: { amount: 50n * USDC } })
  expect(await states()).toEqual([])
})

test('more than the position, or what the policy rejects, is awaited by nobody', async () => {
  await expect(request(200n * USDC)).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
  await comeFree(40n)
  await setPolicy(rebalancer.engine, use().wallet.organizationId, {
    ...MANUAL_POLICY,
    mode: 'conditional',
    rules: [{ name: 'none', when: {}, then: 'reject' }],
  })
  expect(await request(50n * USDC)).toMatchObject({ operation: { state: 'REJECTED' } })
  expect(await states()).toEqual([])
})

test('what a vault can pay that reports nothing is found by trying', async () => {
  const silent = 'erc4626:polygon:USDC:v2'
  const { client, wallet } = await rebalancer.deployed({ [silent]: 600n * USDC })
  await rebalancer.dev.setStrategyState(silent, { liquidity: 'leave' })
  await rebalancer.dev.setStrategyState(silent, { liquidity: 'return', amount: 80n * USDC })
  const place = {
    organizationId: wallet.organizationId,
    opWalletId: wallet.opWalletId,
    strategyId: rebalancer.engine.strategy(silent).id,
    walletId: client.wallet.walletId,
    address: client.wallet.address,
    token: { symbol: 'USDC', decimals: 6 },
    warnings: [],
  }
  const { operation, awaited: opened } = await withdrawPartly(rebalancer.parts, {
    target: place,
    amount: 100n * USDC,
    requestedBy: BY_KEY,
  })
  await rebalancer.dev.setStrategyState(silent, { liquidity: 'return' })
  expect(operation!.amount).toBeGreaterThan(75n * USDC)
  expect(operation!.amount).toBeLessThanOrEqual(80n * USDC)
  expect(opened!.withdrawal).toMatchObject({ amount: 100n * USDC, fetched: 0n })
})

test('a refused plan opens nothing: the wallet has another operation', async () => {
  await comeFree(40n)
  await request(10n * USDC)
  await expect(request(50n * USDC)).rejects.toMatchObject({ code: 'OPERATION_IN_PROGRESS' })
  expect(await states()).toEqual([])
})

test('what was fetched is not deployed again, and nothing is deposited where a withdrawal waits', async () => {
  await rebalancer.change(use(), { enableYield: true, buffer: 100n * USDC })
  await onlyEarns(LENDING)
  await comeFree(40n)
  const { operation } = await request(null)
  await carryOut(operation!.operationId)
  expect(await evaluateLater()).toEqual([])
  await cancelAwaited(rebalancer.parts, await target())
  expect(await evaluateLater()).toMatchObject([{ type: 'SUPPLY', amount: 800n * USDC }])
})

test('one of two requests at once is awaited, and one of two evaluations at once fetches', async () => {
  const both = await Promise.allSettled([request(25n * USDC), request(25n * USDC)])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await states()).toEqual(['open'])
  await comeFree(100n)
  rebalancer.engine.clock.advance(300_000)
  await Promise.all([rebalancer.evaluateAll(), rebalancer.evaluateAll()])
  const planned = (await rebalancer.operationsOf(use())).filter(({ type }) => type === 'UNWIND')
  expect(planned).toMatchObject([{ amount: 25n * USDC }])
  await carryOut(planned[0]!.id)
  await Promise.all([rebalancer.evaluateAll(), rebalancer.evaluateAll()])
  expect(await states()).toEqual(['fetched'])
})

test('a process that dies before the commit leaves neither the part nor the rest', async () => {
  await comeFree(40n)
  const dies: Parameters<typeof withdrawPartly>[2] = (work) =>
    inTransaction(rebalancer.engine.db, async (tx) => {
      await work(tx)
      throw new Error('the process died')
    })
  const input = { target: await target(), amount: 50n * USDC, requestedBy: BY_KEY }
  const before = await rebalancer.operationsOf(use())
  await expect(withdrawPartly(rebalancer.parts, input, dies)).rejects.toThrow('the process died')
  expect(await rebalancer.operationsOf(use())).toEqual(before)
  expect(await states()).toEqual([])
})

test('what lands after its operation failed is not fetched again', async () => {
  await comeFree(40n)
  const { operation } = await request(50n * USDC)
  const agent = createTestAgent(rebalancer.engine, use().client)
  const handedOut = await agent.pollRequired()
  const txHash = await agent.send(handedOut)
  await agent.failed(handedOut)
  await rebalancer.engine.dev.included(txHash)
  await comeFree(60n)
  // Planned while nobody knows that the first one landed.
  const [again] = await evaluateLater()
  expect(again).toMatchObject({ amount: 20n * USDC, state: 'EXECUTING' })
  expect(await agent.poll()).toBeUndefined()
  await rebalancer.engine.settle()
  expect((await use().client.operation({ operationId: operation!.operationId })).state).toBe('COMPLETED')
  expect(await awaited()).toMatchObject({ fetched: 40n * USDC })
  expect(await agent.poll()).toBeUndefined()
  expect((await use().client.operation({ operationId: again!.id })).state).toBe('ABORTED')
  const [last] = await evaluateLater()
  expect(last).toMatchObject({ amount: 10n * USDC })
  await carryOut(last!.id)
  await evaluateLater()
  expect(await states()).toEqual(['fetched'])
})

test('a rejected deployment of the wallet does not stop the fetching', async () => {
  const { db } = rebalancer.engine
  await request(50n * USDC)
  await setPolicy(rebalancer.engine, use().wallet.organizationId, {
    ...MANUAL_POLICY,
    mode: 'conditional',
    rules: [{ name: 'no deposits', when: { types: ['SUPPLY'] }, then: 'reject' }],
    default: 'approve',
  })
  await onlyEarns('aave-v3:polygon:USDC')
  await rebalancer.change(use(), { enableYield: true, buffer: 100n * USDC })
  const [rejected] = await evaluateLater()
  expect(rejected).toMatchObject({ type: 'SUPPLY', state: 'REJECTED' })
  await rebalancer.evaluateAll()
  expect(await rebalancer.rowOf(use())).toMatchObject({
    last_evaluation: { outcome: 'paused' },
    due_at: expect.any(Date),
  })
  await comeFree(100n)
  expect(await evaluateLater()).toMatchObject([{ type: 'UNWIND', amount: 50n * USDC }])
  // The safety net finds a wallet that nothing scheduled and that lacks nothing else.
  await rebalancer.change(use(), { enableYield: false })
  await db.updateTable('operational_wallets').set({ due_at: null }).execute()
  const net = { settings: rebalancer.parts.rebalancing, now: rebalancer.engine.clock.now() }
  await scheduleDriftedWallets(db, rebalancer.engine.parts.chains, net)
  expect((await rebalancer.rowOf(use())).due_at).not.toBeNull()
})

test('a node behind the deposit ends nothing: a position is empty once the ledger says so', async () => {
  const { engine, parts } = rebalancer
  await request(50n * USDC)
  const { vault } = engine.strategy(LENDING).params
  const { block_number: deposited } = await engine.db
    .selectFrom('transactions')
    .select('block_number')
    .where('kind', '=', 'supply')
    .where('sender', '=', use().client.address)
    .executeTakeFirstOrThrow()
  const lagging = {
    ...engine.chain,
    multicall: ((calls, at) => {
      const before = calls.some(({ address }) => address === vault) ? deposited! - 1 : undefined
      return engine.chain.multicall(calls, at ?? before)
    }) as typeof engine.chain.multicall,
  }
  engine.clock.advance(300_000)
  await evaluateDueWallets({ ...parts, chains: new Map([['polygon', lagging]]) })
  expect(await states()).toEqual(['open'])
})

test('an earlier position in the same strategy, closed since, does not end the withdrawal', async () => {
  await rebalancer.dev.setStrategyState(LENDING, { liquidity: 'return' })
  await use().client.complete(await use().client.unwind('full', LENDING))
  await use().client.complete(await use().client.supply(100n * USDC, LENDING))
  await rebalancer.dev.setStrategyState(LENDING, { liquidity: 'leave' })
  expect((await request(50n * USDC)).awaited!.withdrawal).toMatchObject({ fetched: 0n })
  expect(await evaluateLater()).toEqual([])
  expect(await states()).toEqual(['open'])
  await comeFree(100n)
  expect(await evaluateLater()).toMatchObject([{ amount: 50n * USDC, state: 'EXECUTING' }])
})
