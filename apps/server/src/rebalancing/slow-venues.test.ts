import { encodeFunctionData, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { expectLedgerMatchesChain, expectValidLedger } from '../../testing/ledger/expect-ledger.ts'
import type { TestClient } from '../../testing/operations/test-client.ts'
import { useRebalancer } from '../../testing/rebalancing/use-rebalancer.ts'
import { USDC } from '../../testing/units.ts'
import { refreshRates } from '../venues/index.ts'
import { setDepositLimits } from './limits/set-deposit-limits.ts'
import { previewRebalance } from './preview-rebalance.ts'

const AAVE = 'aave-v3:polygon:USDC'
const QUEUE = 'erc7540:polygon:USDC'
const COOLDOWN = 'cooldown-vault:polygon:USDC'

const rebalancer = useRebalancer()
const { fundedClient, monitor, deployed, change, evaluateAll, next } = rebalancer
const idOf = (key: string) => rebalancer.engine.strategy(key).id

const exitOf = ({ wallet }: TestClient) =>
  rebalancer.engine.db.selectFrom('exits').selectAll().where('wallet_id', '=', wallet.walletId).executeTakeFirst()

test('a buffer comes from venues that pay at once, the rest is requested once, and claimed when it can be', async () => {
  const use = await deployed({ [AAVE]: 200n * USDC, [QUEUE]: 400n * USDC })
  await change(use, { buffer: 700n * USDC })
  expect(await next(use)).toMatchObject({ strategyId: idOf(AAVE), kind: 'unwind' })
  const request = await next(use)
  expect(request).toMatchObject({ strategyId: idOf(QUEUE), kind: 'exit_request' })
  expect(request!.settled).toBeGreaterThan(99n * USDC)
  // What is on its way is not requested again.
  expect(await next(use)).toBeUndefined()
  const preview = await previewRebalance(rebalancer.parts, { opWallet: use.wallet, buffer: 700n * USDC })
  expect(preview).toMatchObject({
    moves: [],
    notes: expect.arrayContaining(['Money that was requested back is on its way.']),
  })
  expect(preview.awaited).toBeGreaterThan(99n * USDC)

  await rebalancer.dev.setStrategyState(QUEUE, { pendingExits: 'settle' })
  await rebalancer.engine.settle()
  expect(await next(use)).toMatchObject({ strategyId: idOf(QUEUE), kind: 'exit_claim' })
  expect(await exitOf(use.client)).toMatchObject({ state: 'claimed', on_request: false })
  expect((await use.client.usdc()) / USDC).toBeGreaterThanOrEqual(699n)
  expect(await next(use)).toBeUndefined()
  await expectValidLedger(rebalancer.engine)
  await expectLedgerMatchesChain(rebalancer.engine)
})

test('a larger shortfall does not start a cooldown again', async () => {
  const use = await deployed({ [COOLDOWN]: 500n * USDC })
  await change(use, { buffer: 600n * USDC })
  expect(await next(use)).toMatchObject({ kind: 'exit_request', settled: 100n * USDC })
  const before = await exitOf(use.client)
  await change(use, { buffer: 700n * USDC })
  expect(await next(use)).toBeUndefined()
  expect(await exitOf(use.client)).toMatchObject({ claimable_at: before!.claimable_at, pending: 100n * USDC })
  await rebalancer.dev.increaseTime(7 * 86_400 + 60)
  await rebalancer.engine.settle()
  expect(await next(use)).toMatchObject({ kind: 'exit_claim', settled: 100n * USDC })
  expect(await next(use)).toMatchObject({ kind: 'exit_request', settled: 100n * USDC })
})

test('money that a person requested is not deployed again when Weir claims it', async () => {
  const use = await deployed({ [COOLDOWN]: 300n * USDC })
  await change(use, { enableYield: true })
  await use.client.complete(await use.client.unwind(300n * USDC - 1_000_000n, COOLDOWN))
  expect(await next(use)).toBeUndefined()
  await rebalancer.dev.increaseTime(7 * 86_400 + 60)
  await rebalancer.engine.settle()
  expect(await next(use)).toMatchObject({ kind: 'exit_claim', settled: 299n * USDC })
  expect(await next(use)).toBeUndefined()
  expect(await exitOf(use.client)).toMatchObject({ state: 'claimed', on_request: true })
})

test('the rebalancer deposits where withdrawals take time only when the organization names the strategy', async () => {
  const client = await fundedClient()
  const { engine, parts } = rebalancer
  await refreshRates(engine.parts, engine.chain)
  await engine.db
    .updateTable('strategies')
    .set({ status: 'paused' })
    .where('key', 'not in', [QUEUE, COOLDOWN])
    .execute()
  const use = await monitor(client, 900n * USDC)
  await evaluateAll()
  expect(await rebalancer.operationsOf(use)).toEqual([])
  const { weighed } = await previewRebalance(parts, { opWallet: use.wallet })
  expect(weighed.map(({ verdict }) => verdict)).toEqual(
    Array(2).fill("its withdrawals take time, and it is not on the organization's allow-list"),
  )
  const limits = { caps: [], poolShareBps: null, liquidityShareBps: null, allowedStrategies: [idOf(QUEUE)] }
  await setDepositLimits(parts, { organizationId: use.wallet.organizationId, limits } as never)
  await change(use, { buffer: 899n * USDC })
  await evaluateAll()
  expect(await rebalancer.operationsOf(use)).toMatchObject([{ type: 'SUPPLY', strategy_id: idOf(QUEUE) }])
  await engine.db.updateTable('strategies').set({ status: 'active' }).execute()
})

test('a claim that a stranger requested for the wallet delays no refill', async () => {
  const { dev, engine } = rebalancer
  const use = await deployed({ [AAVE]: 500n * USDC })
  const stranger = await fundedClient()
  await stranger.complete(await stranger.supply(10n * USDC, QUEUE))
  const { shares } = await engine.db
    .selectFrom('allocations')
    .select('shares')
    .where('wallet_id', '=', stranger.wallet.walletId)
    .executeTakeFirstOrThrow()
  const request = encodeFunctionData({
    abi: parseAbi(['function requestRedeem(uint256 shares, address controller, address owner)']),
    // 0.02 USDC.
    args: [shares / 500n, use.client.address as `0x${string}`, stranger.address as `0x${string}`],
  })
  await dev.included(await dev.call(stranger.account, engine.strategy(QUEUE).params.vault!, request))
  await dev.setStrategyState(QUEUE, { pendingExits: 'settle' })
  await engine.settle()
  expect(await exitOf(use.client)).toMatchObject({ state: 'claimable' })
  await change(use, { buffer: 700n * USDC })
  expect(await next(use)).toMatchObject({ strategyId: idOf(AAVE), kind: 'unwind', settled: 200n * USDC })
  expect(await next(use)).toMatchObject({ strategyId: idOf(QUEUE), kind: 'exit_claim' })
})
