// What such a vault reports, and what Weir makes of it: `venues/erc4626/shortfall.test.ts`.
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { useRebalancer } from '../../testing/rebalancing/use-rebalancer.ts'
import { USDC } from '../../testing/units.ts'
import { deployQueueVault, type QueueVault } from '../../testing/venues/queue-vault.ts'
import { evaluateBreakers, listBreakers, setBreakerSettings } from '../breakers/index.ts'
import { evmCall } from '../chains/index.ts'
import { refreshRates } from '../venues/index.ts'
import { previewRebalance } from './preview-rebalance.ts'

const AAVE = 'aave-v3:polygon:USDC'
const VAULT = 'erc4626:polygon:USDC'

const SETTINGS = {
  priceFallBps: 100,
  pegDistanceBps: null,
  withdrawableShareBps: null,
  onUpgrade: false,
  withdraw: false,
  recoverySeconds: 60,
}

const rebalancer = useRebalancer()
const { deployed, change, evaluateAll, operationsOf } = rebalancer

/** Somebody who moves the vault's markets. */
async function somebody() {
  const { dev, engine } = rebalancer
  const { id, tokenAddress } = engine.strategy(VAULT)
  const key = generatePrivateKey()
  const account = privateKeyToAccount(key)
  await dev.rpc('anvil_setBalance', account.address, '0x56bc75e2d63100000')
  await dev.fund(account.address, tokenAddress, 10_000n * USDC)
  const queue = await deployQueueVault(dev.url, key, tokenAddress, 'LossKeepingVault')
  const params = JSON.stringify({ vault: queue.vault })
  await engine.db.updateTable('strategies').set({ params }).where('id', '=', id).execute()
  // The prices of the vault that was there count shares of another size.
  await engine.db.deleteFrom('strategy_prices').where('strategy_id', '=', id).execute()
  return async (...move: Parameters<QueueVault['move']>) => {
    for (const call of queue.move(...move).map(evmCall)) {
      await dev.included(await dev.call(account, call.to, call.data as `0x${string}`))
    }
  }
}

test('a vault that keeps its price after a loss opens the breaker and gets no deposit, and the loss is posted', async () => {
  const { engine, parts } = rebalancer
  const { db, chain } = engine
  const move = await somebody()
  const use = await deployed({ [VAULT]: 500n * USDC })
  const { organizationId } = use.wallet
  await move('borrow', 0, 100n)
  await setBreakerSettings(engine.parts, {
    organizationId,
    settings: SETTINGS,
  })
  await refreshRates(engine.parts, chain)
  await evaluateBreakers(engine.parts)
  expect(await listBreakers(db, organizationId)).toEqual([])

  await move('writeOff', 0, 25n)
  // The vault counts what was lost with the next movement of anybody.
  await use.client.complete(await use.client.unwind(100n * USDC, VAULT))
  await refreshRates(engine.parts, chain)
  await evaluateBreakers(engine.parts)
  const { id: strategyId } = engine.strategy(VAULT)
  expect(await listBreakers(db, organizationId)).toMatchObject([{ strategyId, kind: 'price_fall', state: 'open' }])
  const events = await db
    .selectFrom('outbox')
    .select(['event', 'data'])
    .where('organization_id', '=', organizationId)
    .where('event', '=', 'allocation.loss_booked')
    .execute()
  expect(events).toHaveLength(1)

  await db.updateTable('strategies').set({ status: 'paused' }).execute()
  for (const [key, apy] of [
    [AAVE, 0.02],
    [VAULT, 0.05],
  ] as const)
    await db.updateTable('strategies').set({ status: 'active', apy }).where('key', '=', key).execute()
  await change(use, { enableYield: true, buffer: 0n })
  const { weighed } = await previewRebalance(parts, { opWallet: use.wallet })
  expect(weighed.find((one) => one.strategyId === strategyId)?.verdict).toMatch(/its share price fell by [56]/)
  await evaluateAll()
  const moves = (await operationsOf(use)).filter(({ origin }) => origin === 'rebalancer')
  expect(moves).toMatchObject([{ type: 'SUPPLY', strategy_id: engine.strategy(AAVE).id }])
})
