import { afterAll, beforeAll, expect, test } from 'vitest'
import { lostLease } from '../../testing/database/lost-lease.ts'
import { countStatements, type TestDatabase, testDatabase } from '../../testing/index.ts'
import { type Market, startMarket } from '../../testing/venues/market.ts'
import { ManualClock, silentLog } from '../kernel/index.ts'
import { seedsFromDeployment } from './catalogue/deployment-seeds.ts'
import { strategiesOnChain } from './catalogue/find-strategies.ts'
import { seedCatalogue } from './catalogue/seed-catalogue.ts'
import { pastPrices } from './catalogue/strategy-rates.ts'
import { readPrices } from './read-prices.ts'
import { refreshRates } from './refresh-rates.ts'

let market: Market
let database: TestDatabase
beforeAll(async () => {
  ;[market, database] = await Promise.all([startMarket('polygon'), testDatabase()])
  await seedCatalogue(database.db, seedsFromDeployment(market.devnet.deployment))
})
afterAll(() => Promise.all([market.stop(), database.close()]))

const parts = () => ({ db: database.db, clock: new ManualClock(), log: silentLog })
const PAY_NOTHING_THEMSELVES = new Set([
  ...['lending-aave', 'lending-markets', 'v2'].map((name) => `erc4626:polygon:USDC:${name}`),
  'erc7540:polygon:USDC',
  'cooldown-vault:polygon:USDC',
])

const catalogue = () => strategiesOnChain(database.db, 'polygon')

test('all strategies of a chain are read in two requests and saved in one statement', async () => {
  const block = (await market.chain.heads()).latest
  const before = market.requests()
  const { statements } = await countStatements(() => refreshRates(parts(), market.chain, block))
  // Comet returns its rate only for a utilization, which the first request reads; everything else is in that request.
  expect(market.requests() - before).toBe(2)
  expect(statements).toBe(3)
  for (const { key, apy, tvl, liquidity, price } of await catalogue()) {
    expect(apy, key).toBeGreaterThan(0.005)
    expect(apy, key).toBeLessThan(0.2)
    expect(tvl, key).toBeGreaterThan(0n)
    // Liquidity is read as what the vault itself holds and pays: those that lend everything on hold nothing, and those
    // with exits pay nothing at once.
    expect((liquidity ?? 0n) > 0n, key).toBe(!PAY_NOTHING_THEMSELVES.has(key))
    expect(price, key).toBeGreaterThan(0n)
  }
})

test('a process that lost its lease puts no older figures in the place of newer ones', async () => {
  await refreshRates(parts(), market.chain)
  const before = await catalogue()
  const { number } = (await market.chain.heads()).latest
  const earlier = (await market.chain.block(number - 1))!
  await refreshRates({ ...parts(), db: lostLease(database.db) }, market.chain, earlier)
  expect(await catalogue()).toEqual(before)
  const placed = database.db
    .selectFrom('strategies')
    .select('price_block')
    .distinct()
    .where('price_block', 'is not', null)
  expect(await placed.execute()).toEqual([{ price_block: number }])
})

test('a year later the vaults report the growth of their price', async () => {
  await refreshRates(parts(), market.chain)
  await market.devnet.increaseTime(365 * 86_400)
  const { time } = (await market.chain.heads()).latest
  expect((await pastPrices(database.db, 'polygon', time)).size).toBe((await catalogue()).length)
  await refreshRates(parts(), market.chain)
  const vault = (await catalogue()).find(({ key }) => key === 'erc4626:polygon:USDC')
  expect(vault?.apy).toBeCloseTo(0.05, 3)
})

test('an unreadable strategy keeps its last figures and does not hide the others', async () => {
  const [first] = await catalogue()
  const params = JSON.stringify({ pool: first!.tokenAddress, aToken: first!.tokenAddress })
  await database.db.updateTable('strategies').set({ params }).where('id', '=', first!.id).execute()
  await market.devnet.increaseTime(86_400)
  const before = await catalogue()
  await refreshRates(parts(), market.chain)
  const after = await catalogue()
  expect(after[0]).toEqual(before[0])
  for (const [i, strategy] of after.slice(1).entries()) expect(strategy.price).toBeGreaterThan(before[i + 1]!.price!)

  const { latest } = await market.chain.heads()
  const prices = await readPrices(database.db, market.chain, latest.number, { needsAll: true })
  expect(prices.map(({ strategy, price }) => [strategy.id, price])).toEqual(
    after.slice(1).map(({ id, price }) => [id, price]),
  )
})

test('an unavailable chain changes nothing', async () => {
  const before = await catalogue()
  const { latest } = await market.chain.heads()
  await market.devnet.stop()
  await expect(refreshRates(parts(), market.chain, latest)).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  expect(await catalogue()).toEqual(before)
})
