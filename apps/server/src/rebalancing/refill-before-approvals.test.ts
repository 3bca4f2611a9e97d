// A refill that needs nobody does not wait for people who decide about another withdrawal of its wallet.
import { beforeEach, expect, test } from 'vitest'
import { MANUAL_POLICY, setPolicy } from '../../testing/rebalancing/operational-wallets.ts'
import { type RebalancedWallet, useRebalancer } from '../../testing/rebalancing/use-rebalancer.ts'
import { USDC } from '../../testing/units.ts'
import { evaluateBreakers, setBreakerSettings } from '../breakers/index.ts'
import { refreshRiskFacts } from '../venues/index.ts'
import { evaluateDueWallets } from './evaluate-due-wallets.ts'
import { scheduleDriftedWallets } from './schedule-drifted-wallets.ts'

const UPGRADEABLE = 'erc4626:polygon:USDC:upgradeable'
const AAVE = 'aave-v3:polygon:USDC'
const SETTINGS = { priceFallBps: null, pegDistanceBps: null, withdrawableShareBps: null, onUpgrade: true }

const rebalancer = useRebalancer()
const { change, deployed, evaluateAll, next, operationsOf } = rebalancer
let isReplaced = false

beforeEach(async () => {
  const { db } = rebalancer.engine
  await db.updateTable('strategies').set({ status: 'paused' }).execute()
  const both = db.updateTable('strategies').where('key', 'in', [AAVE, UPGRADEABLE])
  await both.set({ status: 'active', apy: 0.04 }).execute()
  return async () => {
    if (isReplaced) await rebalancer.dev.setStrategyState(UPGRADEABLE, { upgraded: false })
    isReplaced = false
  }
})

/** 600 in a vault whose code is about to change, 200 in Aave, and a buffer of the rest. */
async function wallet(): Promise<RebalancedWallet> {
  const { engine } = rebalancer
  const use = await deployed({ [UPGRADEABLE]: 600n * USDC, [AAVE]: 200n * USDC })
  await refreshRiskFacts(engine.parts, engine.chain)
  const settings = { ...SETTINGS, withdraw: true, recoverySeconds: 60 }
  await setBreakerSettings(engine.parts, { organizationId: use.wallet.organizationId, settings })
  await evaluateBreakers(engine.parts)
  return use
}

async function leave(): Promise<void> {
  const { dev, engine } = rebalancer
  await dev.setStrategyState(UPGRADEABLE, { upgraded: true })
  isReplaced = true
  await refreshRiskFacts(engine.parts, engine.chain)
  await evaluateBreakers(engine.parts)
}

/** Amounts of at least this are for people. */
const reviewFrom = (use: RebalancedWallet, amountAtLeast: string) =>
  setPolicy(rebalancer.engine, use.wallet.organizationId, {
    ...MANUAL_POLICY,
    mode: 'conditional',
    rules: [{ name: 'large', when: { amountAtLeast }, then: 'require_approval' }],
    default: 'approve',
  })

async function later(parts = rebalancer.parts): Promise<void> {
  const { engine } = rebalancer
  engine.clock.advance(3_600_000)
  await scheduleDriftedWallets(engine.db, engine.parts.chains, { settings: parts.rebalancing, now: engine.clock.now() })
  for (let rounds = 0; rounds < 10; rounds += 1) if ((await evaluateDueWallets(parts)) === 0) return
}

const idOf = (key: string) => rebalancer.engine.strategy(key).id
const evacuation = (state: string) => ({ strategy_id: idOf(UPGRADEABLE), state, planned_value: expect.anything() })
const refill = (state: string) => ({ strategy_id: idOf(AAVE), state, planned_value: 100n * USDC })

/** The vault's whole value awaits approval, and then the wallet pays out half of its buffer. */
async function shortWhilePending(reviewed = '500.00'): Promise<RebalancedWallet> {
  const use = await wallet()
  await reviewFrom(use, reviewed)
  await leave()
  await evaluateAll()
  expect(await operationsOf(use)).toMatchObject([evacuation('PENDING_APPROVAL')])
  await rebalancer.dev.included(await use.client.spend(100n * USDC))
  await rebalancer.engine.settle()
  return use
}

test('a withdrawal that awaits people gives way to the refill, and is planned again after it', async () => {
  const use = await shortWhilePending()
  await later()
  expect(await operationsOf(use)).toMatchObject([evacuation('ABORTED'), refill('EXECUTING')])
  const [aborted] = await operationsOf(use)
  const ended = await use.client.operation({ operationId: aborted!.id })
  expect(ended.transactions[0]).toMatchObject({ error: expect.stringContaining('planned again') })
  expect(await next(use)).toMatchObject({ strategyId: idOf(AAVE) })
  await evaluateAll()
  expect((await operationsOf(use)).slice(1)).toMatchObject([refill('COMPLETED'), evacuation('PENDING_APPROVAL')])
  await later()
  expect(await operationsOf(use), 'the buffer is full').toHaveLength(3)
})

test('a withdrawal that is found to need people gives way at once', async () => {
  const use = await wallet()
  await reviewFrom(use, '500.00')
  await leave()
  await change(use, { buffer: 300n * USDC })
  await evaluateAll()
  expect(await operationsOf(use)).toMatchObject([evacuation('ABORTED'), refill('EXECUTING')])
})

test('a withdrawal that needs nobody goes first: it fills the buffer too', async () => {
  const use = await wallet()
  await leave()
  await change(use, { buffer: 300n * USDC })
  await evaluateAll()
  expect(await operationsOf(use)).toMatchObject([evacuation('EXECUTING')])
})

test('a refill that would await people as well replaces nothing, however often it is looked at', async () => {
  const use = await shortWhilePending('50.00')
  for (let hour = 0; hour < 4; hour += 1) await later()
  expect(await operationsOf(use)).toMatchObject([evacuation('PENDING_APPROVAL')])
})

test('a refill that its strategy refuses replaces nothing', async () => {
  const use = await shortWhilePending()
  const { engine, parts } = rebalancer
  const { pool } = engine.strategy(AAVE).params
  const simulate: typeof engine.chain.simulate = async (from, calls) =>
    calls.some((call) => 'to' in call && call.to.toLowerCase() === pool!.toLowerCase())
      ? { ok: false, index: 0, code: 'REVERTED', reason: 'no' }
      : engine.chain.simulate(from, calls)
  const refusing = { ...parts, chains: new Map([['polygon', { ...engine.chain, simulate }]]) }
  for (let hour = 0; hour < 5; hour += 1) await later(refusing)
  expect(await operationsOf(use)).toMatchObject([evacuation('PENDING_APPROVAL')])
})
