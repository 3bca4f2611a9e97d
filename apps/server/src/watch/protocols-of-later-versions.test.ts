// A version goes back onto the database of the next one, or serves beside it during an upgrade (docs/upgrading.md). The
// catalogue may then name a protocol that it does not know.
import { afterEach, expect, test } from 'vitest'
import { expectRefused } from '../../testing/operations/expect-refused.ts'
import { useEngine } from '../../testing/operations/use-engine.ts'
import { USDC } from '../../testing/units.ts'
import { listPositions } from '../allocations/index.ts'
import { silentLog } from '../kernel/index.ts'
import { confirmTokens, listVenues, refreshRates, strategyById, utilizationOf } from '../venues/index.ts'

const use = useEngine()
const AAVE = 'aave-v3:polygon:USDC'
const VAULT = 'erc4626:polygon:USDC'
const OTHER_VAULT = 'erc4626:polygon:USDT'

async function nameProtocol(protocol: string): Promise<void> {
  const { id } = use.engine.strategy(VAULT)
  await use.engine.db.updateTable('strategies').set({ protocol }).where('id', '=', id).execute()
}
/** The vault is of a protocol that only a later version knows. */
const goBack = () => nameProtocol('later-v1')
const upgradeAgain = () => nameProtocol('erc4626')
afterEach(upgradeAgain)

const quarantined = () => use.engine.db.selectFrom('quarantined_wallets').select(['wallet_id', 'error']).execute()
async function positions() {
  const { scope, wallet } = use.client
  const { walletId } = wallet
  const list = await listPositions(use.engine.db, scope, { wallets: { walletId } })
  return list.positions.map(({ strategyId, currentValue }) => [strategyId, currentValue / USDC])
}

test('its chain goes on: a wallet with a position there is settled in its other strategies, as are all others', async () => {
  await use.client.complete(await use.client.supply(400n * USDC, VAULT))
  await goBack()
  expect((await use.client.complete(await use.client.supply(300n * USDC))).state).toBe('COMPLETED')
  const other = await use.engine.client({ usdc: 1_000n * USDC })
  await use.engine.settle()
  expect((await other.complete(await other.supply(300n * USDC))).state).toBe('COMPLETED')
  expect(await quarantined()).toEqual([])
  await upgradeAgain()
  expect((await use.client.complete(await use.client.unwind('full', VAULT))).state).toBe('COMPLETED')
})

test('a position there keeps the value that the later version read last', async () => {
  await use.client.complete(await use.client.supply(400n * USDC, VAULT))
  const { engine } = use
  await refreshRates({ db: engine.db, clock: engine.clock, log: silentLog }, engine.chain)
  await goBack()
  expect(await positions()).toEqual([[engine.strategy(VAULT).id, 399n]])
})

test('nothing is deposited there, and a withdrawal waits for the later version; both change nothing', async () => {
  await use.client.complete(await use.client.supply(400n * USDC, VAULT))
  await goBack()
  const { db } = use.engine
  expect(await strategyById(db, use.engine.strategy(VAULT).id)).toMatchObject({ status: 'paused' })
  await expectRefused(db, 'STRATEGY_NOT_ACTIVE', () => use.client.supply(100n * USDC, VAULT))
  await expectRefused(db, 'CHAIN_UNAVAILABLE', () => use.client.unwind('full', VAULT))
})

test('the catalogue is listed with its facts, and other strategies get rates and are checked', async () => {
  await goBack()
  const { db, clock, chain } = use.engine
  await confirmTokens({ db, log: silentLog }, chain)
  await db.updateTable('strategies').set({ price: null, price_at: null }).execute()
  await refreshRates({ db, clock, log: silentLog }, chain)
  const strategies = (await listVenues(db)).flatMap((venue) => venue.strategies)
  for (const strategy of strategies) utilizationOf(strategy)
  const read = strategies.filter(({ price }) => price !== null).map(({ key }) => key)
  expect(read).toEqual(expect.arrayContaining([AAVE, OTHER_VAULT]))
  expect(read).not.toContain(VAULT)
})

test('what lands there under way quarantines its wallet, until the later version settles it', async () => {
  const plan = await use.client.supply(400n * USDC, VAULT)
  await use.client.submitAll(plan)
  await goBack()
  await use.engine.settle()
  expect(await quarantined()).toMatchObject([{ wallet_id: use.client.wallet.walletId }])
  await upgradeAgain()
  use.engine.clock.advance(60_000)
  await use.engine.settle()
  expect(await quarantined()).toEqual([])
  expect((await use.client.operation(plan)).state).toBe('COMPLETED')
})
