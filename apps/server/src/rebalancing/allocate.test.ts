// Also tested in: surfaces/core/treasury/allocation-moves.test.ts (over HTTP), rebalancing/limits/enforce-cap.test.ts (caps),
// rebalancing/unkind-venues.test.ts (venues that refuse), rebalancing/planner/planner.test.ts (the order of strategies).
import { beforeEach, expect, test } from 'vitest'
import { failingTransact } from '../../testing/index.ts'
import { BY_KEY } from '../../testing/operations/requesters.ts'
import { type RebalancedWallet, useRebalancer } from '../../testing/rebalancing/use-rebalancer.ts'
import { USDC } from '../../testing/units.ts'
import { inTransaction, type Transact } from '../database/index.ts'
import { type AllocateResult, allocate } from './allocate.ts'
import { WITHDRAWAL_WAITS } from './awaited/awaited-withdrawal.ts'
import { openAwaited } from './awaited/write-awaited.ts'

const AAVE = 'aave-v3:polygon:USDC'
const OVER_MARKETS = 'erc4626:polygon:USDC:lending-markets'
const rebalancer = useRebalancer()
let use: RebalancedWallet

/** Only two strategies take deposits; the second pays more. */
beforeEach(async () => {
  const client = await rebalancer.fundedClient()
  const { db } = rebalancer.engine
  await db.updateTable('strategies').set({ status: 'paused' }).execute()
  for (const [key, apy] of [
    [AAVE, 0.02],
    [OVER_MARKETS, 0.03],
  ] as const)
    await db.updateTable('strategies').set({ status: 'active', apy }).where('key', '=', key).execute()
  use = await rebalancer.monitor(client, 400n * USDC)
  await rebalancer.change(use, { enableYield: false })
})

const request = (amount: bigint, strategyId?: number, transact?: Transact<AllocateResult>) =>
  allocate(
    rebalancer.parts,
    { opWallet: use.wallet, wallet: use.client.wallet, amount, strategyId, requestedBy: BY_KEY },
    transact,
  )
const awaitIn = async (key: string) => {
  const { organizationId, opWalletId } = use.wallet
  const awaited = { organizationId, opWalletId, strategyId: idOf(key), amount: null, requestedBy: BY_KEY }
  const { db, clock } = rebalancer.engine
  await inTransaction(db, (tx) => openAwaited(tx, awaited, clock.now()))
}
const idOf = (key: string) => rebalancer.engine.strategy(key).id

test('without a strategy the best one is chosen, and the operation shows what it was compared with', async () => {
  const { operation, strategy, warnings } = await request(600n * USDC)
  expect(strategy.id).toBe(idOf(OVER_MARKETS))
  expect(warnings).toEqual([])
  expect(operation).toMatchObject({ type: 'SUPPLY', origin: 'explicit', amount: 600n * USDC, requestedBy: BY_KEY })
  const { weighed } = operation.reasons as { weighed: { strategyId: number }[] }
  expect(weighed.map(({ strategyId }) => strategyId)).toEqual([idOf(OVER_MARKETS), idOf(AAVE)])
})

test('where a requested withdrawal waits, nothing is deposited unless no other strategy takes it', async () => {
  await awaitIn(OVER_MARKETS)
  const { operation, strategy } = await request(300n * USDC)
  expect(strategy.id).toBe(idOf(AAVE))
  const { weighed } = operation.reasons as { weighed: { strategyId: number; verdict: string }[] }
  expect(weighed.find(({ strategyId }) => strategyId === idOf(OVER_MARKETS))?.verdict).toBe(WITHDRAWAL_WAITS)
})

test('where requested withdrawals wait in all strategies, the best one is chosen', async () => {
  await awaitIn(OVER_MARKETS)
  await awaitIn(AAVE)
  expect((await request(300n * USDC)).strategy.id).toBe(idOf(OVER_MARKETS))
})

test('a named strategy is taken even if another pays more; an unknown one is STRATEGY_NOT_FOUND', async () => {
  await expect(request(100n * USDC, 4_711_000)).rejects.toMatchObject({ code: 'STRATEGY_NOT_FOUND' })
  const { operation, strategy } = await request(100n * USDC, idOf(AAVE))
  expect(strategy.id).toBe(idOf(AAVE))
  expect(operation.reasons).not.toHaveProperty('weighed')
})

test('the buffer stays: more than is above it is INSUFFICIENT_BALANCE', async () => {
  await expect(request(601n * USDC)).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
  expect(await rebalancer.operationsOf(use)).toEqual([])
})

test('while no strategy takes deposits, the request is STRATEGY_NOT_ACTIVE', async () => {
  await rebalancer.engine.db.updateTable('strategies').set({ status: 'paused' }).execute()
  await expect(request(100n * USDC)).rejects.toMatchObject({ code: 'STRATEGY_NOT_ACTIVE' })
})

test('a deployment commits with what its caller commits, or not at all', async () => {
  const transact = failingTransact<AllocateResult>(rebalancer.engine.db, 'the response could not be stored')
  await expect(request(100n * USDC, idOf(AAVE), transact)).rejects.toThrow('could not be stored')
  expect(await rebalancer.operationsOf(use)).toEqual([])
})
