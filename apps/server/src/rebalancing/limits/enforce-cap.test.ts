import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { overlap } from '../../../testing/database/overlap.ts'
import { BY_KEY } from '../../../testing/operations/requesters.ts'
import { useEngine } from '../../../testing/operations/use-engine.ts'
import { createOperationalWallet } from '../../../testing/rebalancing/operational-wallets.ts'
import { USDC } from '../../../testing/units.ts'
import { until } from '../../../testing/until.ts'
import { readConfig } from '../../config.ts'
import { inTransaction, type Transact, transactOn } from '../../database/index.ts'
import { type Operation, planMove } from '../../operations/index.ts'
import { allocate } from '../allocate.ts'
import { evaluateDueWallets } from '../evaluate-due-wallets.ts'
import { NO_LIMITS } from './deposit-limits.ts'
import { enforceCap } from './enforce-cap.ts'
import { setDepositLimits } from './set-deposit-limits.ts'
import { setCap } from './strategy-caps.ts'

const use = useEngine()
const partsOf = (depositLimits: 'conservative' | 'none' = 'none') => ({
  ...use.engine.parts,
  rebalancing: { ...readConfig({}).rebalancing, depositLimits },
})

test('wallets evaluated together do not exceed the organization’s cap on a strategy', async () => {
  const { engine } = use
  const parts = partsOf()
  const { organizationId } = use.client.wallet
  const clients = [use.client, await engine.client({ organizationId, usdc: 1_000n * USDC })]
  clients.push(await engine.client({ organizationId, usdc: 1_000n * USDC }))
  await engine.settle()
  const capped = engine.strategy('erc4626:polygon:USDC:capped')
  await setCap(engine.parts, { organizationId, strategyId: capped.id, shareBps: 4_000 })
  for (const client of clients) await createOperationalWallet(engine, client)
  for (let rounds = 0; rounds < 6; rounds += 1) {
    engine.clock.advance(31_000)
    while ((await evaluateDueWallets(parts)) > 0);
  }
  const planned = await engine.db
    .selectFrom('operations')
    .select(['strategy_id', 'amount'])
    .where('organization_id', '=', organizationId)
    .where('state', '=', 'EXECUTING')
    .execute()
  expect(planned).toHaveLength(3)
  const inside = planned.filter(({ strategy_id }) => strategy_id === capped.id)
  const whole = (
    await engine.db.selectFrom('ledger_balances').selectAll().where('organization_id', '=', organizationId).execute()
  )
    .filter(({ token_address }) => token_address === use.client.usdcAddress)
    .reduce((sum, { available, reserved, deployed }) => sum + available + reserved + deployed, 0n)
  expect(inside.reduce((sum, { amount }) => sum + amount!, 0n)).toBeLessThanOrEqual((whole * 4n) / 10n)
})

test('the second of two deployments under one cap is judged once the first is committed, and refused', async () => {
  const { engine, client } = use
  const { organizationId } = client.wallet
  const other = await engine.client({ organizationId, usdc: 1_000n * USDC })
  await engine.settle()
  const { id: strategyId } = engine.strategy('aave-v3:polygon:USDC')
  await setCap(engine.parts, { organizationId, strategyId, shareBps: 4_000 })
  const opWallets = [await createOperationalWallet(engine, client), await createOperationalWallet(engine, other)]
  const plan = (index: number, transact: Transact<Operation>) =>
    planMove(
      engine.parts,
      {
        organizationId,
        opWalletId: opWallets[index]!.opWalletId,
        strategyId,
        type: 'SUPPLY',
        amount: 500n * USDC,
        origin: 'rebalancer',
        requestedBy: BY_KEY,
        reasons: { why: 'a test' },
      },
      enforceCap(partsOf(), undefined, transact),
    )
  const second = overlap(engine.db, () => plan(1, transactOn(engine.db)))
  expect(await plan(0, second.transact)).toMatchObject({ state: 'EXECUTING' })
  await expect(second.outcome()).rejects.toMatchObject({
    code: 'AMOUNT_OUT_OF_BOUNDS',
    message: expect.stringContaining('at its cap'),
  })
})

test('wallets evaluated together do not exceed a limit that covers several strategies', async () => {
  const { engine } = use
  const parts = partsOf()
  const { organizationId } = use.client.wallet
  const clients = [use.client]
  for (let more = 0; more < 2; more += 1) clients.push(await engine.client({ organizationId, usdc: 1_000n * USDC }))
  await engine.settle()
  const caps = [{ kind: 'protocol', of: 'erc4626', shareBps: 2_500 }] as const
  await setDepositLimits(parts, { organizationId, limits: { ...NO_LIMITS, caps } })
  for (const client of clients) await createOperationalWallet(engine, client)
  for (let rounds = 0; rounds < 6; rounds += 1) {
    engine.clock.advance(31_000)
    while ((await evaluateDueWallets(parts)) > 0);
  }
  const planned = await engine.db
    .selectFrom('operations')
    .innerJoin('strategies', 'strategies.id', 'operations.strategy_id')
    .select(['strategies.protocol', 'operations.amount'])
    .where('operations.organization_id', '=', organizationId)
    .where('operations.state', '=', 'EXECUTING')
    .execute()
  expect(planned).toHaveLength(3)
  const sum = (rows: typeof planned) => rows.reduce((total, { amount }) => total + amount!, 0n)
  const vaults = planned.filter(({ protocol }) => protocol === 'erc4626')
  expect(sum(vaults)).toBeGreaterThan(0n)
  expect(sum(vaults)).toBeLessThanOrEqual((3_000n * USDC) / 4n)
})

test('conservative defaults keep automatic deposits to a small part of a pool', async () => {
  const { engine, client } = use
  const parts = partsOf('conservative')
  const aave = engine.strategy('aave-v3:polygon:USDC')
  await engine.settle()
  await engine.db.updateTable('strategies').set({ status: 'paused' }).where('id', '!=', aave.id).execute()
  await engine.db
    .updateTable('strategies')
    .set({ apy: 0.05, tvl: 5_000n * USDC, liquidity: 1_000n * USDC })
    .where('id', '=', aave.id)
    .execute()
  const opWallet = await createOperationalWallet(engine, client)
  const { wallet } = client
  const request = { opWallet, wallet, requestedBy: BY_KEY }
  await expect(allocate(parts, { ...request, amount: 251n * USDC })).rejects.toMatchObject({
    code: 'AMOUNT_OUT_OF_BOUNDS',
  })
  engine.clock.advance(1)
  while ((await evaluateDueWallets(parts)) > 0);
  const operations = () =>
    engine.db
      .selectFrom('operations')
      .select(['id', 'amount', 'state'])
      .where('op_wallet_id', '=', opWallet.opWalletId)
      .execute()
  expect(await operations()).toMatchObject([{ amount: 250n * USDC, state: 'EXECUTING' }])
})

test('the second of two deployments of an organization with limits waits until the first is committed', async () => {
  const { engine, client } = use
  const aave = engine.strategy('aave-v3:polygon:USDC')
  await engine.db
    .updateTable('strategies')
    .set({ tvl: 5_000n * USDC, liquidity: 1_000n * USDC })
    .where('id', '=', aave.id)
    .execute()
  const { organizationId } = client.wallet
  const planned = { organizationId, strategyId: aave.id, type: 'SUPPLY', state: 'EXECUTING' } as Operation
  const guard = (transact: Transact<Operation>) => enforceCap(partsOf('conservative'), undefined, transact)
  const isWaiting = async () =>
    (await sql`select from pg_locks where locktype = 'advisory' and not granted`.execute(engine.db)).rows.length > 0
  let second: Promise<Operation> | undefined
  await inTransaction(engine.db, async (tx) => {
    await guard((work) => work(tx))(async () => planned)
    second = guard(transactOn(engine.db))(async () => planned)
    await until(isWaiting)
  })
  expect(await second).toBe(planned)
})

test('a deployment that Weir chose is refused in its own transaction once a circuit breaker is open', async () => {
  const { engine, client } = use
  const { id: strategyId } = engine.strategy('aave-v3:polygon:USDC')
  const { organizationId, opWalletId } = await createOperationalWallet(engine, client)
  await engine.settle()
  const move = {
    organizationId,
    opWalletId,
    strategyId,
    type: 'SUPPLY',
    amount: 10n * USDC,
    origin: 'rebalancer',
    requestedBy: BY_KEY,
    reasons: { why: 'a test' },
  } as const
  const plan = () => planMove(engine.parts, move, enforceCap(partsOf(), undefined, transactOn(engine.db)))
  await engine.db
    .insertInto('circuit_breakers')
    .values({
      organization_id: organizationId,
      strategy_id: strategyId,
      kind: 'upgrade',
      state: 'open',
      opened_at: engine.clock.now(),
      updated_at: engine.clock.now(),
    })
    .execute()
  const message = expect.stringContaining('the code of its contracts was replaced')
  await expect(plan()).rejects.toMatchObject({ code: 'AMOUNT_OUT_OF_BOUNDS', message })
  const closed = engine.db.updateTable('circuit_breakers').set({ state: 'accepted' })
  await closed.where('organization_id', '=', organizationId).execute()
  expect(await plan()).toMatchObject({ state: 'EXECUTING' })
})
