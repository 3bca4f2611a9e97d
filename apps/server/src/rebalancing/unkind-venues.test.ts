import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { BY_KEY } from '../../testing/operations/requesters.ts'
import { planExplicitMove } from '../../testing/rebalancing/operational-wallets.ts'
import { type RebalancedWallet, useRebalancer } from '../../testing/rebalancing/use-rebalancer.ts'
import { USDC } from '../../testing/units.ts'
import { refreshWithdrawable } from '../allocations/index.ts'
import { type Money, NOTHING_WITHDRAWABLE_AGE_MAX_MS } from '../kernel/index.ts'
import { presentReasons } from '../surfaces/core/operations/reasons.ts'
import { refreshRates } from '../venues/index.ts'
import { allocate } from './allocate.ts'
import { evaluateDueWallets } from './evaluate-due-wallets.ts'
import { previewRebalance } from './preview-rebalance.ts'

const OVER_AAVE = 'erc4626:polygon:USDC:lending-aave'
const OVER_MARKETS = 'erc4626:polygon:USDC:lending-markets'
const SILENT = 'erc4626:polygon:USDC:v2'

const rebalancer = useRebalancer()
const { fundedClient, monitor, change, rowOf, evaluateAll } = rebalancer

/** Only these strategies take deposits of the rebalancer, best rate last. */
async function only(...keys: readonly string[]): Promise<void> {
  const { engine } = rebalancer
  await refreshRates(engine.parts, engine.chain)
  await engine.db.updateTable('strategies').set({ status: 'paused' }).execute()
  for (const [index, key] of keys.entries()) {
    const apy = 0.02 + index / 100
    await engine.db.updateTable('strategies').set({ status: 'active', apy }).where('key', '=', key).execute()
  }
}
beforeEach(() => only(OVER_AAVE, OVER_MARKETS))

/** A wallet with positions and a balanced buffer of what is left. */
async function deployed(positions: Readonly<Record<string, bigint>>): Promise<RebalancedWallet> {
  const client = await fundedClient()
  let left = 1_000n * USDC
  await rebalancer.engine.db.updateTable('strategies').set({ status: 'active' }).execute()
  for (const [key, amount] of Object.entries(positions)) {
    expect(await client.complete(await client.supply(amount, key))).toMatchObject({ state: 'COMPLETED' })
    left -= amount
  }
  await only(OVER_AAVE, OVER_MARKETS)
  return monitor(client, left)
}
const strategyIdOf = (key: string) => rebalancer.engine.strategy(key).id
/** The wallet's operations, with the keys of their strategies. */
async function planned(use: RebalancedWallet) {
  const keyOf = (strategyId: number) =>
    [OVER_AAVE, OVER_MARKETS, SILENT].find((key) => strategyIdOf(key) === strategyId)
  return (await rebalancer.operationsOf(use)).map((row) => ({ ...row, key: keyOf(row.strategy_id) }))
}
const refusalsOf = ({ wallet }: RebalancedWallet) =>
  rebalancer.engine.db.selectFrom('refused_moves').selectAll().where('op_wallet_id', '=', wallet.opWalletId).execute()

test.each([OVER_AAVE, OVER_MARKETS, SILENT])(
  'a buffer comes back from %s, which holds no token itself',
  async (key) => {
    const use = await deployed({ [key]: 600n * USDC })
    await change(use, { buffer: 700n * USDC })
    await evaluateAll()
    expect(await planned(use)).toMatchObject([{ type: 'UNWIND', state: 'EXECUTING', planned_value: 300n * USDC, key }])
  },
)

test('what one vault cannot pay comes from the next, and both numbers are shown', async () => {
  const use = await deployed({ [OVER_AAVE]: 300n * USDC, [OVER_MARKETS]: 300n * USDC })
  await rebalancer.dev.setStrategyState(OVER_AAVE, { liquidity: 'leave' })
  await rebalancer.dev.setStrategyState(OVER_AAVE, { liquidity: 'return', amount: 50n * USDC })
  await change(use, { buffer: 600n * USDC })
  const preview = await previewRebalance(rebalancer.parts, { opWallet: use.wallet, buffer: 600n * USDC })
  expect(preview.sources).toMatchObject([
    { strategyId: strategyIdOf(OVER_AAVE), withdrawable: 50n * USDC, verdict: 'can pay part of it' },
    { strategyId: strategyIdOf(OVER_MARKETS), verdict: 'can pay all of it' },
  ])
  expect(preview.moves.map(({ worth }) => worth)).toEqual([50n * USDC, 150n * USDC])
  await evaluateAll()
  expect(await planned(use)).toMatchObject([
    { key: OVER_AAVE, planned_value: 50n * USDC, reasons: { shortfall: '200000000', awaited: '0' } },
  ])
  await rebalancer.dev.setStrategyState(OVER_AAVE, { liquidity: 'return' })
})

test('a buffer comes back from the vault whose gas the wallet can pay for', async () => {
  const { engine, dev } = rebalancer
  const use = await deployed({ [OVER_AAVE]: 300n * USDC, [OVER_MARKETS]: 300n * USDC })
  const setGas = (wei: bigint) => dev.rpc('anvil_setBalance', use.client.address, `0x${wei.toString(16)}`)
  await setGas(0n)
  const needs = async (key: string): Promise<bigint> => {
    const move = { type: 'UNWIND', amount: 100n * USDC, strategyId: strategyIdOf(key) } as const
    const refused = await planExplicitMove(engine, use.wallet, move).catch((error: unknown) => error)
    return (refused as { details: { required: Money } }).details.required.baseUnits
  }
  const [dear, cheap] = [await needs(OVER_AAVE), await needs(OVER_MARKETS)]
  expect(dear).toBeGreaterThan(cheap)
  await setGas((dear + cheap) / 2n)
  await change(use, { buffer: 500n * USDC })
  await evaluateAll()
  expect(await planned(use)).toMatchObject([{ type: 'UNWIND', planned_value: 100n * USDC, key: OVER_MARKETS }])
  expect(await refusalsOf(use), 'gas is the wallet’s lack, not the vault’s').toEqual([])
})

test('what a vault pays that reports nothing is what was found by simulation, and else the withdrawal itself decides', async () => {
  const { engine, dev, parts } = rebalancer
  const use = await deployed({ [SILENT]: 600n * USDC })
  await dev.setStrategyState(SILENT, { liquidity: 'leave' })
  await dev.setStrategyState(SILENT, { liquidity: 'return', amount: 80n * USDC })
  const preview = () => previewRebalance(parts, { opWallet: use.wallet, buffer: 700n * USDC })
  expect((await preview()).moves).toMatchObject([{ worth: 300n * USDC }])
  await refreshWithdrawable(parts, engine.chain, 0)
  const found = await preview()
  expect(found.moves).toHaveLength(1)
  expect(found.moves[0]!.worth).toBeGreaterThan(75n * USDC)
  expect(found.moves[0]!.worth).toBeLessThanOrEqual(80n * USDC)
  expect(found.awaited).toBe(300n * USDC - found.moves[0]!.worth)
  const before = engine.requests()
  await preview()
  expect(engine.requests() - before, 'a plan simulates nothing but its own moves').toBeLessThanOrEqual(3)
  await dev.setStrategyState(SILENT, { liquidity: 'return' })
})

test('that a vault paid nothing is forgotten after some minutes, before what it paid', async () => {
  const { engine, dev, parts } = rebalancer
  const use = await deployed({ [SILENT]: 600n * USDC })
  await dev.setStrategyState(SILENT, { liquidity: 'leave' })
  await refreshWithdrawable(parts, engine.chain, 0)
  await dev.setStrategyState(SILENT, { liquidity: 'return' })
  const moves = async () => (await previewRebalance(parts, { opWallet: use.wallet, buffer: 700n * USDC })).moves
  const findingIsOlderBy = (milliseconds: number) =>
    engine.db
      .updateTable('allocations')
      .set(({ eb }) => ({ withdrawable_at: eb('withdrawable_at', '-', sql<Date>`${milliseconds} * interval '1 ms'`) }))
      .where('wallet_id', '=', use.client.wallet.walletId)
      .execute()
  expect(await moves()).toEqual([])
  await findingIsOlderBy(NOTHING_WITHDRAWABLE_AGE_MAX_MS + 60_000)
  expect(await moves()).toMatchObject([{ worth: 300n * USDC }])
})

test('what no strategy can pay now is awaited, shown, and withdrawn once it is available', async () => {
  const use = await deployed({ [OVER_MARKETS]: 600n * USDC })
  await rebalancer.dev.setStrategyState(OVER_MARKETS, { liquidity: 'leave' })
  await refreshWithdrawable(rebalancer.parts, rebalancer.engine.chain, 0)
  await change(use, { buffer: 700n * USDC })
  await evaluateAll()
  expect(await planned(use)).toEqual([])
  const waiting = await rowOf(use)
  expect(waiting.last_evaluation).toMatchObject({ outcome: 'waiting', text: expect.stringContaining('nothing now') })
  expect(waiting.due_at!.getTime() - rebalancer.engine.clock.now().getTime()).toBe(15_000)
  const { awaited, moves } = await previewRebalance(rebalancer.parts, { opWallet: use.wallet, buffer: 700n * USDC })
  expect({ awaited, moves }).toEqual({ awaited: 300n * USDC, moves: [] })
  rebalancer.engine.clock.advance(15_000)
  await evaluateAll()
  expect((await rowOf(use)).due_at!.getTime() - rebalancer.engine.clock.now().getTime()).toBe(30_000)
  await rebalancer.dev.setStrategyState(OVER_MARKETS, { liquidity: 'return' })
  rebalancer.engine.clock.advance(30_000)
  await evaluateAll()
  expect(await planned(use)).toMatchObject([{ type: 'UNWIND', planned_value: 300n * USDC }])
})

test('what a vault that cannot be read could pay is unknown, and another pays', async () => {
  const use = await deployed({ [OVER_AAVE]: 300n * USDC, [OVER_MARKETS]: 300n * USDC })
  const { engine, parts } = rebalancer
  const { vault } = engine.strategy(OVER_AAVE).params
  const unreadable = {
    ...engine.chain,
    multicall: async (...asked: Parameters<typeof engine.chain.multicall>) =>
      (await engine.chain.multicall(...asked)).map((result, index) =>
        asked[0][index]!.address === vault ? undefined : result,
      ),
  }
  const blind = { ...parts, chains: new Map([['polygon', unreadable]]) }
  const { sources, notes, moves } = await previewRebalance(blind, { opWallet: use.wallet, buffer: 500n * USDC })
  expect(sources).toMatchObject([
    { strategyId: strategyIdOf(OVER_AAVE), withdrawable: null, verdict: 'what it can pay could not be read' },
    { strategyId: strategyIdOf(OVER_MARKETS), verdict: 'can pay all of it' },
  ])
  expect(moves).toMatchObject([{ strategyId: strategyIdOf(OVER_MARKETS), worth: 100n * USDC }])
  expect(notes).toEqual([])
  const short = await previewRebalance(blind, { opWallet: use.wallet, buffer: 900n * USDC })
  expect(short.notes).toContain(`What ${engine.strategy(OVER_AAVE).name} can pay could not be read.`)
  await change(use, { buffer: 900n * USDC })
  engine.clock.advance(1)
  await evaluateDueWallets(blind)
  const [planned] = await rebalancer.operationsOf(use)
  expect(planned!.reasons).toMatchObject({ sources: [{ withdrawable: null }, { withdrawable: expect.any(String) }] })
  const operation = await use.client.operation({ operationId: planned!.id })
  expect(presentReasons(operation, 6)!.sources).toMatchObject([
    { withdrawable: null },
    { withdrawable: expect.any(String) },
  ])
})

test('a strategy that refuses is left out with its reason, and the next best is planned in the same pass', async () => {
  const client = await fundedClient()
  await only(OVER_MARKETS, SILENT)
  const use = await monitor(client, 100n * USDC)
  // After the last reading, which would have shown it.
  await rebalancer.dev.setStrategyState(SILENT, { depositCap: 0n })
  await evaluateAll()
  expect(await planned(use)).toMatchObject([{ type: 'SUPPLY', key: OVER_MARKETS, planned_value: 900n * USDC }])
  const [refused] = await refusalsOf(use)
  expect(refused).toMatchObject({ strategy_id: strategyIdOf(SILENT), type: 'SUPPLY', code: 'SIMULATION_FAILED' })
  expect(refused!.until.getTime() - rebalancer.engine.clock.now().getTime()).toBe(30_000)
  const [move] = await planned(use)
  expect(move!.reasons).toMatchObject({
    weighed: [
      { name: 'V2 USDC', verdict: expect.stringContaining('it refused a move until') },
      { verdict: 'takes all of it' },
    ],
  })
  await rebalancer.dev.setStrategyState(SILENT, { depositCap: null })
})

test('a deposit leaves room under the cap for the interest until it lands', async () => {
  const { dev } = rebalancer.engine
  const { totalAssets } = await dev.strategyState(OVER_MARKETS)
  await dev.setStrategyState(OVER_MARKETS, { depositCap: totalAssets + 500n * USDC })
  const client = await fundedClient()
  await only(OVER_AAVE, OVER_MARKETS)
  const use = await monitor(client, 100n * USDC)
  await evaluateAll()
  const [move] = await planned(use)
  expect(move).toMatchObject({ type: 'SUPPLY', key: OVER_MARKETS, state: 'EXECUTING' })
  expect(move!.planned_value).toBeGreaterThan(400n * USDC)
  expect(move!.planned_value).toBeLessThan(500n * USDC)
  await dev.setStrategyState(OVER_MARKETS, { depositCap: null })
})

test.each([OVER_MARKETS, SILENT])('%s is not even tried while its contracts accept nothing', async (key) => {
  await rebalancer.dev.setStrategyState(key, { paused: true })
  const client = await fundedClient()
  await only(OVER_AAVE, key)
  const use = await monitor(client, 100n * USDC)
  await evaluateAll()
  expect(await planned(use)).toMatchObject([{ type: 'SUPPLY', key: OVER_AAVE }])
  expect(await refusalsOf(use)).toEqual([])
  await rebalancer.dev.setStrategyState(key, { paused: false })
})

test('a requested deployment goes to the next best strategy when the best refuses, and says why', async () => {
  const client = await fundedClient()
  await only(OVER_MARKETS, SILENT)
  const use = await monitor(client, 100n * USDC)
  await rebalancer.dev.setStrategyState(SILENT, { depositCap: 0n })
  const request = { opWallet: use.wallet, wallet: client.wallet, amount: 500n * USDC, requestedBy: BY_KEY }
  const { strategy } = await allocate(rebalancer.parts, request)
  expect(strategy.key).toBe(OVER_MARKETS)
  const [move, ...more] = await planned(use)
  expect(more).toEqual([])
  expect(move!.reasons).toMatchObject({
    weighed: [
      { name: 'V2 USDC', verdict: expect.stringContaining('it refused the move (SIMULATION_FAILED') },
      { verdict: 'takes all of it' },
    ],
  })
  expect(await refusalsOf(use), 'another amount may be accepted').toEqual([])
  await rebalancer.dev.setStrategyState(SILENT, { depositCap: null })
})

test('a requested deployment that every strategy refuses fails as the best one does, and plans nothing', async () => {
  const client = await fundedClient()
  await only(SILENT)
  const use = await monitor(client, 100n * USDC)
  await rebalancer.dev.setStrategyState(SILENT, { depositCap: 0n })
  const request = { opWallet: use.wallet, wallet: client.wallet, amount: 500n * USDC, requestedBy: BY_KEY }
  await expect(allocate(rebalancer.parts, request)).rejects.toMatchObject({ code: 'SIMULATION_FAILED' })
  await only(OVER_AAVE, SILENT)
  const named = { ...request, strategyId: strategyIdOf(SILENT) }
  await expect(allocate(rebalancer.parts, named)).rejects.toMatchObject({ code: 'SIMULATION_FAILED' })
  expect(await planned(use)).toEqual([])
  await rebalancer.dev.setStrategyState(SILENT, { depositCap: null })
})
