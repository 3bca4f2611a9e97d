import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type EngineFixture, startEngineFixture } from '../../testing/engine-fixture.ts'
import { createOperationalWallet } from '../../testing/operational-wallets.ts'
import { startTestChain, type TestChain } from '../../testing/test-chain.ts'
import type { TestClient } from '../../testing/test-client.ts'
import { USDC } from '../../testing/units.ts'
import { refreshRates } from '../venues/index.ts'
import { type OperationalWallet, updateOperationalWallet } from '../wallets/index.ts'
import { evaluateDueWallets } from './evaluate-due-wallets.ts'
import type { RebalanceParts } from './parts.ts'
import { previewRebalance } from './preview-rebalance.ts'

const OVER_AAVE = 'erc4626:polygon:USDC:lending-aave'
const OVER_MARKETS = 'erc4626:polygon:USDC:lending-markets'
const SILENT = 'erc4626:polygon:USDC:v2'

let dev: TestChain
let engine: EngineFixture
let parts: RebalanceParts
beforeAll(async () => {
  dev = await startTestChain()
  engine = await startEngineFixture(dev)
  parts = {
    ...engine.parts,
    rebalancing: {
      floor: { digits: 1n, scale: 0 },
      dust: { digits: 1n, scale: 2 },
      horizonDays: 30,
      withdrawHoldMs: 3_600_000,
      nativeUsd: {},
    },
  }
})
afterAll(async () => {
  await engine.close()
  await dev.stop()
})
/** Only these strategies take deposits of the rebalancer, best rate last. */
async function only(...keys: readonly string[]): Promise<void> {
  await refreshRates(parts, engine.chain)
  await engine.db.updateTable('strategies').set({ status: 'paused' }).execute()
  for (const [index, key] of keys.entries()) {
    const apy = 0.02 + index / 100
    await engine.db.updateTable('strategies').set({ status: 'active', apy }).where('key', '=', key).execute()
  }
}
beforeEach(() => only(OVER_AAVE, OVER_MARKETS))

interface Case {
  readonly client: TestClient
  readonly wallet: OperationalWallet
}

/** A wallet with positions and a balanced buffer of what is left. */
async function deployed(positions: Readonly<Record<string, bigint>>): Promise<Case> {
  const client = await engine.client({ usdc: 1_000n * USDC })
  await engine.settle()
  let left = 1_000n * USDC
  await engine.db.updateTable('strategies').set({ status: 'active' }).execute()
  for (const [key, amount] of Object.entries(positions)) {
    expect(await client.complete(await client.supply(amount, key))).toMatchObject({ state: 'COMPLETED' })
    left -= amount
  }
  await only(OVER_AAVE, OVER_MARKETS)
  return { client, wallet: await createOperationalWallet(engine, client, left) }
}
const raise = ({ wallet }: Case, buffer: bigint) =>
  updateOperationalWallet(engine.parts, {
    organizationId: wallet.organizationId,
    opWalletId: wallet.opWalletId,
    buffer,
  })
const keyOf = (strategyId: number) =>
  [OVER_AAVE, OVER_MARKETS, SILENT].find((key) => engine.strategy(key).id === strategyId)
async function planned({ wallet }: Case) {
  const rows = await engine.db
    .selectFrom('operations')
    .select(['type', 'state', 'planned_value', 'strategy_id', 'reasons'])
    .where('op_wallet_id', '=', wallet.opWalletId)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, key: keyOf(row.strategy_id) }))
}
const rowOf = ({ wallet }: Case) =>
  engine.db.selectFrom('operational_wallets').selectAll().where('id', '=', wallet.opWalletId).executeTakeFirstOrThrow()
async function evaluateAll(): Promise<void> {
  engine.clock.advance(1)
  for (let rounds = 0; rounds < 20; rounds += 1) if ((await evaluateDueWallets(parts)) === 0) return
  throw new Error('the rebalancer still has due wallets after 20 rounds')
}

test.each([OVER_AAVE, OVER_MARKETS, SILENT])(
  'a buffer comes back from %s, which holds no token itself',
  async (key) => {
    const use = await deployed({ [key]: 600n * USDC })
    await raise(use, 700n * USDC)
    await evaluateAll()
    expect(await planned(use)).toMatchObject([{ type: 'UNWIND', state: 'EXECUTING', planned_value: 300n * USDC, key }])
  },
)

test('what one vault cannot pay comes from the next, and both numbers are shown', async () => {
  const use = await deployed({ [OVER_AAVE]: 300n * USDC, [OVER_MARKETS]: 300n * USDC })
  await dev.setStrategyState(OVER_AAVE, { liquidity: 'leave' })
  await dev.setStrategyState(OVER_AAVE, { liquidity: 'return', amount: 50n * USDC })
  await raise(use, 600n * USDC)
  const preview = await previewRebalance(parts, { opWallet: use.wallet, buffer: 600n * USDC })
  expect(preview.sources).toMatchObject([
    { strategyId: engine.strategy(OVER_AAVE).id, withdrawable: 50n * USDC, verdict: 'can pay part of it' },
    { strategyId: engine.strategy(OVER_MARKETS).id, verdict: 'can pay all of it' },
  ])
  expect(preview.moves.map(({ worth }) => worth)).toEqual([50n * USDC, 150n * USDC])
  await evaluateAll()
  expect(await planned(use)).toMatchObject([
    { key: OVER_AAVE, planned_value: 50n * USDC, reasons: { shortfall: '200000000', awaited: '0' } },
  ])
  await dev.setStrategyState(OVER_AAVE, { liquidity: 'return' })
})

test('what nobody can pay is awaited, shown, and fetched when it becomes free', async () => {
  const use = await deployed({ [OVER_MARKETS]: 600n * USDC })
  await dev.setStrategyState(OVER_MARKETS, { liquidity: 'leave' })
  await raise(use, 700n * USDC)
  await evaluateAll()
  expect(await planned(use)).toEqual([])
  const waiting = await rowOf(use)
  expect(waiting.last_evaluation).toMatchObject({ outcome: 'waiting', text: expect.stringContaining('nothing now') })
  expect(waiting.due_at!.getTime() - engine.clock.now().getTime()).toBe(15_000)
  const { awaited, moves } = await previewRebalance(parts, { opWallet: use.wallet, buffer: 700n * USDC })
  expect({ awaited, moves }).toEqual({ awaited: 300n * USDC, moves: [] })
  engine.clock.advance(15_000)
  await evaluateAll()
  expect((await rowOf(use)).due_at!.getTime() - engine.clock.now().getTime()).toBe(30_000)
  await dev.setStrategyState(OVER_MARKETS, { liquidity: 'return' })
  engine.clock.advance(30_000)
  await evaluateAll()
  expect(await planned(use)).toMatchObject([{ type: 'UNWIND', planned_value: 300n * USDC }])
})

test('a strategy that refuses is left out with its reason, and the next best is planned in the same pass', async () => {
  await dev.setStrategyState(SILENT, { depositCap: 0n })
  const client = await engine.client({ usdc: 1_000n * USDC })
  await engine.settle()
  await only(OVER_MARKETS, SILENT)
  const use = { client, wallet: await createOperationalWallet(engine, client, 100n * USDC) }
  await evaluateAll()
  expect(await planned(use)).toMatchObject([{ type: 'SUPPLY', key: OVER_MARKETS, planned_value: 900n * USDC }])
  const [refused] = await engine.db
    .selectFrom('refused_moves')
    .selectAll()
    .where('op_wallet_id', '=', use.wallet.opWalletId)
    .execute()
  expect(refused).toMatchObject({ strategy_id: engine.strategy(SILENT).id, type: 'SUPPLY', code: 'SIMULATION_FAILED' })
  expect(refused!.until.getTime() - engine.clock.now().getTime()).toBe(30_000)
  const [move] = await planned(use)
  expect(move!.reasons).toMatchObject({
    weighed: [
      { name: 'V2 USDC', verdict: expect.stringContaining('it refused a move until') },
      { verdict: 'takes all of it' },
    ],
  })
  await dev.setStrategyState(SILENT, { depositCap: null })
})

test('a vault whose contracts accept nothing is not even tried', async () => {
  await dev.setStrategyState(OVER_MARKETS, { paused: true })
  const client = await engine.client({ usdc: 1_000n * USDC })
  await engine.settle()
  await only(OVER_AAVE, OVER_MARKETS)
  const use = { client, wallet: await createOperationalWallet(engine, client, 100n * USDC) }
  await evaluateAll()
  expect(await planned(use)).toMatchObject([{ type: 'SUPPLY', key: OVER_AAVE }])
  const refusals = engine.db.selectFrom('refused_moves').selectAll().where('op_wallet_id', '=', use.wallet.opWalletId)
  expect(await refusals.execute()).toEqual([])
  await dev.setStrategyState(OVER_MARKETS, { paused: false })
})
