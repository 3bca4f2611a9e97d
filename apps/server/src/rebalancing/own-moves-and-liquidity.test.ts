// The organization's own moves change what it could withdraw; that is no lack of liquidity.
import { beforeEach, expect, test } from 'vitest'
import { createTestAgent } from '../../testing/agents/test-agent.ts'
import { type RebalancedWallet, useRebalancer } from '../../testing/rebalancing/use-rebalancer.ts'
import { USDC } from '../../testing/units.ts'
import { refreshWithdrawable } from '../allocations/index.ts'
import { evaluateBreakers, listBreakers, setBreakerSettings } from '../breakers/index.ts'

const AAVE = 'aave-v3:polygon:USDC'
const rebalancer = useRebalancer()
const { change, deployed, evaluateAll, operationsOf } = rebalancer
let use: RebalancedWallet

async function read(): Promise<void> {
  const { engine } = rebalancer
  await refreshWithdrawable(engine.parts, engine.chain, 0)
  await evaluateBreakers(engine.parts)
}
const breakers = () => listBreakers(rebalancer.engine.db, use.wallet.organizationId)

/** 600 USDC are deployed, nine tenths of which must be withdrawable. */
beforeEach(async () => {
  use = await deployed({ [AAVE]: 600n * USDC })
  await setBreakerSettings(rebalancer.engine.parts, {
    organizationId: use.wallet.organizationId,
    settings: {
      priceFallBps: null,
      pegDistanceBps: null,
      withdrawableShareBps: 9_000,
      onUpgrade: false,
      withdraw: true,
      recoverySeconds: 86_400,
    },
  })
  await read()
  expect(await breakers()).toEqual([])
})

test('a deposit since the last reading opens no breaker', async () => {
  await change(use, { buffer: 200n * USDC })
  await use.client.complete(await use.client.supply(200n * USDC, AAVE))
  await evaluateAll()
  expect(await breakers()).toEqual([])
  await read()
  expect(await breakers()).toEqual([])
  expect((await operationsOf(use)).filter(({ type }) => type === 'UNWIND')).toEqual([])
})

test('a reading by a process of the version before opens no breaker', async () => {
  const { db } = rebalancer.engine
  const known = await db.selectFrom('allocations').select(['id', 'withdrawable_of', 'withdrawable_of_at']).execute()
  await change(use, { buffer: 600n * USDC })
  await use.client.complete(await use.client.unwind(500n * USDC, AAVE))
  await rebalancer.dev.increaseTime(1)
  await read()
  // It knows neither of these two columns.
  for (const { id, ...before } of known) await db.updateTable('allocations').set(before).where('id', '=', id).execute()
  await evaluateBreakers(rebalancer.engine.parts)
  expect(await breakers()).toEqual([])
})

test('a withdrawal that is not final yet opens no breaker', async () => {
  await change(use, { buffer: 600n * USDC })
  await evaluateAll()
  const agent = createTestAgent(rebalancer.engine, use.client)
  const given = await agent.pollRequired()
  const hash = await agent.send(given)
  await agent.submitted(given, hash)
  await rebalancer.dev.included(hash)
  await read()
  expect(await breakers()).toEqual([])
  await rebalancer.engine.settle()
  await read()
  expect(await breakers()).toEqual([])
})
