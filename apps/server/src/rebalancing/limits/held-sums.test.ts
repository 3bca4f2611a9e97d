// enforce-cap.test.ts tests what plans do with the sums; ../exit-caps.test.ts proves that exits count once.
import { expect, test } from 'vitest'
import { countStatements } from '../../../testing/database/count-statements.ts'
import { useEngine } from '../../../testing/operations/use-engine.ts'
import { createOperationalWallet } from '../../../testing/rebalancing/operational-wallets.ts'
import { USDC } from '../../../testing/units.ts'
import { readConfig } from '../../config.ts'
import { transactOn } from '../../database/index.ts'
import { LATE_COMPLETIONS_MS } from '../../kernel/index.ts'
import { cancelOperation, type Operation } from '../../operations/index.ts'
import { evaluateDueWallets } from '../evaluate-due-wallets.ts'
import { NO_LIMITS } from './deposit-limits.ts'
import { enforceCap } from './enforce-cap.ts'
import { type HeldSums, readHeldSums, readInside } from './held-sums.ts'
import { setDepositLimits } from './set-deposit-limits.ts'
import { setCap } from './strategy-caps.ts'

const AAVE = 'aave-v3:polygon:USDC'
const use = useEngine()
const sumsNow = () => readHeldSums(use.engine.db, use.client.wallet.organizationId, use.engine.clock.now())
/** Whole USDC, rounded: pools round each movement by a base unit. */
const insideOf = async (sums: HeldSums) => {
  const inside = (await readInside(use.engine.db, sums))(use.engine.strategy(AAVE).id)
  return (inside + USDC / 2n) / USDC
}

test('a deposit counts once, whether it is planned, settled or long past when the sums are read', async () => {
  const { client, engine } = use
  const before = await sumsNow()
  expect(await insideOf(before)).toBe(0n)
  const supply = await client.supply(100n * USDC, AAVE)
  const planned = await sumsNow()
  for (const sums of [before, planned]) expect(await insideOf(sums)).toBe(100n)
  await client.complete(supply)
  const settled = await sumsNow()
  for (const sums of [before, planned, settled]) expect(await insideOf(sums)).toBe(100n)
  engine.clock.advance(LATE_COMPLETIONS_MS + 1)
  const later = await sumsNow()
  for (const sums of [before, planned, settled, later]) expect(await insideOf(sums)).toBe(100n)
})

test.each([0, LATE_COMPLETIONS_MS + 1])(
  'a deposit that was cancelled %i ms before the sums takes no room, and what lands of it late counts once',
  async (before) => {
    const { client, engine, dev } = use
    const old = await sumsNow()
    const supply = await client.supply(100n * USDC, AAVE)
    await cancelOperation(engine.parts, client.scope, supply.operationId)
    engine.clock.advance(before)
    const cancelled = await sumsNow()
    for (const sums of [old, cancelled]) expect(await insideOf(sums)).toBe(0n)
    let last = ''
    for (const transaction of supply.transactions) last = await client.send(transaction)
    await dev.included(last)
    await engine.settle()
    expect((await client.operation(supply)).state).toBe('COMPLETED')
    for (const sums of [old, cancelled, await sumsNow()]) expect(await insideOf(sums)).toBe(100n)
  },
)

test('a deposit whose end commits minutes after its time counts once', async () => {
  const { client, engine } = use
  const before = await sumsNow()
  await client.complete(await client.supply(100n * USDC, AAVE))
  const late = new Date(engine.clock.now().getTime() - 299_000)
  await engine.db
    .updateTable('operations')
    .set({ completed_at: late })
    .where('organization_id', '=', client.wallet.organizationId)
    .execute()
  for (const sums of [before, await sumsNow()]) expect(await insideOf(sums)).toBe(100n)
})

test('a check that has no sums adds up once, for its cap and its limits', async () => {
  const { engine } = use
  const { organizationId } = use.client.wallet
  const { id: strategyId } = engine.strategy(AAVE)
  await setCap(engine.parts, { organizationId, strategyId, shareBps: 9_000 })
  await setDepositLimits(engine.parts, { organizationId, limits: { ...NO_LIMITS, poolShareBps: 10_000 } })
  await engine.db
    .updateTable('strategies')
    .set({ tvl: 10n ** 15n })
    .execute()
  const planned = { organizationId, strategyId, type: 'SUPPLY', state: 'EXECUTING' } as Operation
  const parts = { ...engine.parts, rebalancing: readConfig({}).rebalancing }
  const { texts } = await countStatements(() =>
    enforceCap(parts, undefined, transactOn(engine.db))(async () => planned),
  )
  expect(texts.filter((text) => text.includes('with held as'))).toHaveLength(1)
})

test.each(['limits', 'a cap'])(
  'with %s, a page adds up the positions once, however many moves it plans',
  async (kind) => {
    const { engine } = use
    const { organizationId } = use.client.wallet
    const depositLimits = kind === 'limits' ? 'conservative' : 'none'
    const parts = { ...engine.parts, rebalancing: { ...readConfig({}).rebalancing, depositLimits } as const }
    const strategyId = engine.strategy(AAVE).id
    await engine.db.updateTable('strategies').set({ status: 'paused' }).where('id', '!=', strategyId).execute()
    await engine.db
      .updateTable('strategies')
      .set({ tvl: 10n ** 15n, liquidity: 10n ** 15n, apy: 0.05 })
      .execute()
    if (kind === 'a cap') await setCap(engine.parts, { organizationId, strategyId, shareBps: 10_000 })
    const clients = [use.client]
    for (let more = 0; more < 2; more += 1) clients.push(await engine.client({ organizationId, usdc: 1_000n * USDC }))
    await engine.settle()
    for (const client of clients) await createOperationalWallet(engine, client)
    engine.clock.advance(1)
    const { result, texts } = await countStatements(() => evaluateDueWallets(parts))
    const { planned } = await engine.db
      .selectFrom('operations')
      .select(({ fn }) => fn.countAll<number>().as('planned'))
      .where('organization_id', '=', organizationId)
      .executeTakeFirstOrThrow()
    expect([result, planned]).toEqual([3, 3])
    expect(texts.filter((text) => text.includes('with held as'))).toHaveLength(1)
  },
)
