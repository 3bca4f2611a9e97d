import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../testing/index.ts'
import type { Chain, Chains, Token } from '../../chains/index.ts'
import { type StrategySeed, saveRates, seedCatalogue, strategiesOnChain } from '../../venues/index.ts'
import type { App } from '../http/index.ts'
import { testServer } from '../http/server/test-server.ts'
import { venueRoutes } from './venues.ts'

const seed = (key: string, over: Partial<StrategySeed> = {}): StrategySeed => ({
  key,
  name: key,
  token: 'USDC',
  tokenAddress: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
  tokenDecimals: 6,
  minDeposit: 1_000_000n,
  maxDeposit: null,
  status: 'active',
  supportsGasSponsorship: true,
  params: { vault: '0x794a61358D6845594F94dc1DB02A252b5b4814aD' },
  ...over,
})
const announced = (polygon: readonly StrategySeed[]) => [
  { key: 'p', name: 'Vaults', protocol: 'erc4626', blockchain: 'polygon', iconUrl: null, strategies: polygon },
]
const USDT = { token: 'USDT', supportsGasSponsorship: false, maxDeposit: 100_000_000_000n }
const base = { key: 'b', name: 'Base', protocol: 'erc4626', blockchain: 'base', iconUrl: 'https://example.com/b.svg' }

const TERMS = { deposits: { state: 'open', room: null }, withdrawals: 'open' } as const

let database: TestDatabase
let app: App
beforeAll(async () => {
  database = await testDatabase()
  const { db } = database
  const polygon = [seed('one'), seed('two', USDT), seed('three', { status: 'paused' })]
  await seedCatalogue(db, [...announced([...polygon, seed('gone')]), { ...base, strategies: [seed('four')] }])
  await seedCatalogue(db, announced(polygon), { chains: ['polygon', 'base'] })
  const [one] = await strategiesOnChain(db, 'polygon')
  const reading = {
    strategyId: one!.id,
    price: 1n,
    apy: 0.0512,
    tvl: 9_007_199_254_740_993_000n,
    liquidity: 1n,
    ...TERMS,
  }
  await saveRates(db, { number: 1, time: new Date(0) }, [reading], new Date(0))

  // The routes only read token names from chains.
  const knows = (...symbols: string[]) => ({ network: { tokens: symbols.map((symbol) => ({ symbol }) as Token) } })
  const chains: Chains = new Map([['polygon', knows('USDC', 'USDT', 'EURC') as unknown as Chain]])
  app = (await testServer((made) => venueRoutes(made, { db, chains }))).app
})
afterAll(async () => {
  await app.close()
  await database.close()
})

async function get(url: string, key = 'profile-key') {
  const response = await app.inject({ method: 'GET', url, headers: { 'x-api-key': key } })
  return { status: response.statusCode, body: response.json() }
}
const names = async (query: string) => {
  const { status, body } = await get(`/v1/venues${query}`)
  expect(status).toBe(200)
  expect(body.count).toBe(body.venues.length)
  const shown: string[][] = body.venues.map((venue: { strategies: { name: string }[] }) =>
    venue.strategies.map(({ name }) => name),
  )
  expect(body.strategyCount).toBe(shown.flat().length)
  return shown
}

test('venues and strategies have exactly the fields of spec 2.3', async () => {
  const { body } = await get('/v1/venues?blockchain=polygon&token=USDC')
  expect(body).toEqual({
    venues: [
      {
        id: expect.any(Number),
        name: 'Vaults',
        protocol: 'erc4626',
        blockchain: 'polygon',
        iconUrl: null,
        status: 'active',
        strategies: [
          {
            strategyId: expect.any(Number),
            name: 'one',
            token: 'USDC',
            tokenAddress: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
            tokenDecimals: 6,
            contracts: { vault: '0x794a61358D6845594F94dc1DB02A252b5b4814aD' },
            spender: '0x794a61358D6845594F94dc1DB02A252b5b4814aD',
            apy: 0.0512,
            tvl: '9007199254740993000',
            minDeposit: '1000000',
            maxDeposit: null,
            deposits: { state: 'open', room: null },
            withdrawals: { state: 'open' },
            status: 'active',
            supportsGasSponsorship: true,
          },
          expect.objectContaining({
            name: 'three',
            status: 'paused',
            apy: 0,
            tvl: null,
            deposits: { state: 'paused', room: '0' },
            withdrawals: null,
          }),
          // The specification has no deprecated status. A deprecated strategy takes no deposits, so it shows as paused.
          expect.objectContaining({ name: 'gone', status: 'paused' }),
        ],
      },
    ],
    count: 1,
    strategyCount: 3,
  })
})

test('filters ignore case, and a venue without a matching strategy is omitted', async () => {
  expect(await names('')).toEqual([['one', 'two', 'three', 'gone'], ['four']])
  expect(await names('?blockchain=POLYGON&token=usdt')).toEqual([['two']])
  expect(await names('?blockchain=Base')).toEqual([['four']])
  expect(await names('?supportsGasSponsorship=true&token=USDT')).toEqual([])
  expect(await names('?supportsGasSponsorship=false&token=USDT')).toEqual([['two']])
  expect(await names('?token=EURC')).toEqual([])
  expect(await names('?blockchain=solana')).toEqual([])
})

test.each(['arbitrum', 'bitcoin', ''])('the blockchain filter "%s" is a VALIDATION_ERROR', async (blockchain) => {
  const { status, body } = await get(`/v1/venues?blockchain=${blockchain}`)
  expect(status).toBe(400)
  expect(body).toMatchObject({ statusCode: 400, code: 'VALIDATION_ERROR' })
  expect(body.details.issues[0].path).toBe('blockchain')
})

test('a token that no configured chain has is TOKEN_NOT_FOUND', async () => {
  expect(await get('/v1/venues?token=DOGE')).toMatchObject({ status: 404, body: { code: 'TOKEN_NOT_FOUND' } })
})

test('a venue is found by id with all its strategies, deprecated ones included', async () => {
  const { body } = await get('/v1/venues')
  for (const venue of body.venues) expect(await get(`/v1/venues/${venue.id}`)).toEqual({ status: 200, body: venue })
  expect(body.venues.map(({ status }: { status: string }) => status)).toEqual(['active', 'deprecated'])
  expect(body.venues[1].iconUrl).toBe('https://example.com/b.svg')
})

test('an unknown id is VENUE_NOT_FOUND, a malformed one VALIDATION_ERROR', async () => {
  expect(await get('/v1/venues/999999')).toMatchObject({ status: 404, body: { code: 'VENUE_NOT_FOUND' } })
  expect(await get('/v1/venues/first')).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
})

test('an admin key can read the catalogue', async () => {
  expect((await get('/v1/venues', 'admin-key')).status).toBe(200)
})
