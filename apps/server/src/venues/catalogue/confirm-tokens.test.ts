import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase } from '../../../testing/index.ts'
import { type Market, startMarket } from '../../../testing/venues/market.ts'
import { silentLog } from '../../kernel/index.ts'
import { confirmTokens } from './confirm-tokens.ts'
import { seedsFromDeployment } from './deployment-seeds.ts'
import { strategiesOnChain } from './find-strategies.ts'
import { seedCatalogue } from './seed-catalogue.ts'

let market: Market
let database: Awaited<ReturnType<typeof testDatabase>>

beforeAll(async () => {
  ;[market, database] = await Promise.all([startMarket('ethereum'), testDatabase()])
})
afterAll(async () => {
  await Promise.all([market.stop(), database.close()])
})

const statuses = async () =>
  new Map((await strategiesOnChain(database.db, 'ethereum')).map(({ key, status }) => [key, status]))

test('contracts that take the token in the catalogue are unchanged', async () => {
  await seedCatalogue(database.db, seedsFromDeployment(market.devnet.deployment))
  await confirmTokens({ db: database.db, log: silentLog }, market.chain)
  expect([...(await statuses()).values()].every((status) => status === 'active')).toBe(true)
})

test('a contract that takes another token is paused before anything is planned there', async () => {
  const swapped = seedsFromDeployment(market.devnet.deployment).map((venue) => {
    const [usdc, usdt] = venue.strategies
    return { ...venue, strategies: [{ ...usdc!, params: usdt!.params }, usdt!] }
  })
  await seedCatalogue(database.db, swapped)
  await confirmTokens({ db: database.db, log: silentLog }, market.chain)
  expect(await statuses()).toEqual(
    new Map(
      swapped.flatMap(({ strategies: [wrong, right] }) => [
        [wrong!.key, 'paused'],
        [right!.key, 'active'],
      ]),
    ),
  )
})

test('a start lifts the pause only once the contract takes the right token', async () => {
  const { db } = database
  const parts = { db, log: silentLog }
  const seeds = seedsFromDeployment(market.devnet.deployment)
  await seedCatalogue(db, seeds)
  await confirmTokens(parts, market.chain)
  await db.updateTable('strategies').set({ status: 'paused', paused_because: 'wrong_token' }).execute()
  await seedCatalogue(db, seeds)
  expect(new Set((await statuses()).values())).toEqual(new Set(['paused']))
  await confirmTokens(parts, market.chain)
  expect(new Set((await statuses()).values())).toEqual(new Set(['active']))
})
