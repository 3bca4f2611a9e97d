import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../testing/index.ts'
import { answering } from '../../../testing/venues/answering.ts'
import { type Market, startMarket } from '../../../testing/venues/market.ts'
import { Failure } from '../../kernel/index.ts'
import { strategiesOnChain } from '../catalogue/find-strategies.ts'
import { listVenues } from '../catalogue/list-venues.ts'
import { seedCatalogue } from '../catalogue/seed-catalogue.ts'
import { strategySeed, venueSeed } from '../catalogue/test-seeds.ts'
import { contractsOf, rewardSourceOf } from '../readings.ts'
import { acceptVenuesFile } from './accept-venues-file.ts'
import { parseVenuesFile } from './parse-venues-file.ts'
import { VenuesFileError } from './venues-file-error.ts'

let market: Market
let database: TestDatabase
beforeAll(async () => {
  market = await startMarket('polygon')
})
afterAll(() => market.stop())
beforeEach(async () => {
  database = await testDatabase()
})
afterEach(() => database.close())

/** What Weir itself lists on the chain. */
const OWN = [venueSeed('own', [strategySeed('own')])]
const vaultOf = (key: string) => market.strategy(key).params.vault!
const fixed = () => vaultOf('erc4626:polygon:USDC')
const entryFor = (address: string, more: Readonly<Record<string, unknown>> = {}) => ({
  blockchain: 'polygon',
  kind: 'erc4626',
  address,
  source: 'https://vault.example',
  ...more,
})

/** A start of a process with this file, or without one. Returns what it logged. */
async function start(venues: readonly unknown[] | undefined, chain = market.chain, own = OWN): Promise<string[]> {
  const { db } = database
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(JSON.parse(line).msg) })
  const chains = new Map([['polygon', chain]])
  const entries = parseVenuesFile(JSON.stringify({ version: 1, venues: venues ?? [] }))
  const listed = venues === undefined ? [] : (await acceptVenuesFile({ db, log, chains }, entries, own)).seeds
  await seedCatalogue(db, [...own, ...listed], { chains: ['polygon'] })
  return lines
}

const refusalsOf = (venues: readonly unknown[]) =>
  start(venues).then(
    () => [],
    (error: unknown) => {
      if (error instanceof VenuesFileError) return error.problems.map(({ index, code }) => `${index} ${code}`)
      throw error
    },
  )

async function listed(): Promise<string[]> {
  const all = await strategiesOnChain(database.db, 'polygon')
  return all.filter(({ listingSource }) => listingSource !== null).map(({ name, status }) => `${name} ${status}`)
}

test('an entry is listed with what its chain says, under its provider', async () => {
  const slow = vaultOf('erc7540:polygon:USDC')
  await start([entryFor(fixed(), { name: 'Ours', provider: 'Morpho' }), entryFor(slow, { kind: 'erc7540' })])
  const venues = await listVenues(database.db)
  expect(venues.map(({ name, protocol }) => [name, protocol])).toEqual([
    ['own', 'erc4626'],
    ['Morpho', 'erc4626'],
    ['ERC-7540 Vaults', 'erc7540'],
  ])
  expect(venues[1]!.strategies).toMatchObject([
    {
      key: `erc4626:polygon:${fixed()}`,
      name: 'Ours',
      token: 'USDC',
      tokenAddress: market.strategy('erc4626:polygon:USDC').tokenAddress,
      tokenDecimals: 6,
      minDeposit: 1_000_000n,
      status: 'active',
      params: { vault: fixed() },
      listingSource: 'https://vault.example',
    },
  ])
  expect(venues[2]!.strategies[0]!.name).toBe(`USDC vault ${slow.slice(0, 6)}…${slow.slice(-4)}`)
})

test('new entries that their chain contradicts refuse the start, each with its code, and nothing is listed', async () => {
  const token = market.strategy('erc4626:polygon:USDC').tokenAddress
  const { pool } = market.strategy('aave-v3:polygon:USDC').params
  expect(
    await refusalsOf([
      entryFor(fixed()),
      entryFor('0x00000000000000000000000000000000000000aa'),
      entryFor(market.devnet.deployment.treasury.address),
      entryFor(token),
      entryFor(pool!),
      entryFor(vaultOf('erc7540:polygon:USDC')),
      entryFor(vaultOf('erc4626:polygon:USDT'), { kind: 'erc7540' }),
      entryFor(vaultOf('cooldown-vault:polygon:USDC')),
    ]),
  ).toEqual([
    '1 NO_CONTRACT',
    '2 NO_CONTRACT',
    '3 WRONG_KIND',
    '4 WRONG_KIND',
    '5 WRONG_KIND',
    '6 WRONG_KIND',
    '7 WRONG_KIND',
  ])
  expect(await listed()).toEqual([])
})

test('the rewards of a Comet are checked on its chain, and stored as how it is read', async () => {
  const { params } = market.strategy('compound-v3:polygon:USDC')
  const { comet } = params
  const { rewards, rewardFeed } = rewardSourceOf({ params })!
  const of = (more: object) => entryFor(comet!, { kind: 'compound-v3', name: 'one', ...more })
  await expect(start([of({ rewards: fixed(), rewardFeed })])).rejects.toThrow(/UNREADABLE: .* names no reward token/)
  await expect(start([of({ rewards, rewardFeed: fixed() })])).rejects.toThrow(/UNREADABLE: .* reports no price/)
  const older = answering(market.chain, { baseTrackingSupplySpeed: () => undefined })
  await expect(start([of({ rewards, rewardFeed })], older)).rejects.toThrow(/UNREADABLE: .* tracks no rewards/)
  // An accepted entry may get them later: it stays the same strategy.
  for (const more of [{}, { rewards, rewardFeed }]) expect(await start([of(more)])).toEqual([])
  const [stored] = (await strategiesOnChain(database.db, 'polygon')).filter((one) => one.listingSource !== null)
  expect(stored!.params).toEqual(params)
  expect(contractsOf(stored!)).toEqual({ comet })
})

test('two aTokens of one pool are two entries, also at the next start', async () => {
  const reserves = ['USDC', 'USDT'].map((token) => market.strategy(`aave-v3:polygon:${token}`).params)
  const entries = reserves.map(({ aToken }) => entryFor(aToken!, { kind: 'aave-v3' }))
  for (const _ of [1, 2]) expect(await start(entries)).toEqual([])
  expect((await listVenues(database.db)).map(({ name }) => name)).toEqual(['own', 'Aave V3'])
  const found = (await strategiesOnChain(database.db, 'polygon')).filter(({ listingSource }) => listingSource !== null)
  expect(found.map(({ token, params }) => [token, params])).toEqual([
    ['USDC', reserves[0]],
    ['USDT', reserves[1]],
  ])
})

test('an accepted aToken whose pool is another one stays as it was, with an error', async () => {
  const { aToken, pool } = market.strategy('aave-v3:polygon:USDC').params
  const entry = entryFor(aToken!, { kind: 'aave-v3', name: 'one' })
  await start([entry])
  const elsewhere = answering(market.chain, {
    POOL: () => fixed(),
    getReserveData: () => ({
      aTokenAddress: aToken,
      configuration: 1n << 56n,
      liquidityIndex: 10n ** 27n,
      currentLiquidityRate: 0n,
      accruedToTreasury: 0n,
    }),
    getReserveNormalizedIncome: () => 10n ** 27n,
  })
  const lines = await start([entry], elsewhere)
  expect(lines).toEqual([
    expect.stringMatching(/^venues\[0\] .* names a different pool than before, .*stays listed\)$/),
  ])
  const [stored] = (await strategiesOnChain(database.db, 'polygon')).filter((one) => one.listingSource !== null)
  expect(stored!.params).toEqual({ pool, aToken })
})

test('a vault of a token that Weir does not know is refused', async () => {
  const { network } = market.chain
  const usdt = { ...market.chain, network: { ...network, tokens: network.tokens.filter((t) => t.symbol === 'USDT') } }
  await expect(start([entryFor(fixed())], usdt)).rejects.toThrow(/venues\[0\] UNKNOWN_TOKEN: .* Weir knows USDT/)
})

test('a vault whose cooldown is 0 pays at once, and is listed', async () => {
  await start([entryFor(fixed(), { name: 'one' })], answering(market.chain, { cooldownDuration: () => 0n }))
  expect(await listed()).toEqual(['one active'])
})

test('a vault that reports no limits is listed with a warning, until its entry says so', async () => {
  const silent = vaultOf('erc4626:polygon:USDC:v2')
  expect(await start([entryFor(silent)])).toEqual([
    expect.stringMatching(/^venues\[0\] LIMITS_UNREPORTED: .* set limits to unreported$/),
  ])
  expect(await start([entryFor(silent, { limits: 'unreported' })])).toEqual([])
  expect(await listed()).toHaveLength(1)
  const { key } = market.strategy('erc4626:polygon:USDC:lending-markets')
  await market.devnet.setStrategyState(key, { depositCap: 0n })
  expect(await start([entryFor(silent, { limits: 'unreported' }), entryFor(vaultOf(key))])).toEqual([])
  await market.devnet.setStrategyState(key, { depositCap: null })
})

test('an entry of a chain that the process does not serve is left to those that do', async () => {
  expect(await start([entryFor(fixed(), { blockchain: 'base' })])).toEqual([])
  expect(await listed()).toEqual([])
})

test('a defect of the service does not pass for one of the chain, and ends the start', async () => {
  const multicall = async () => {
    throw new TypeError('a defect')
  }
  await expect(start([entryFor(fixed())], { ...market.chain, multicall })).rejects.toThrow('a defect')
  const rates = answering(market.chain, {
    totalAssets: () => {
      throw new TypeError('another defect')
    },
  })
  await expect(start([entryFor(fixed())], rates)).rejects.toThrow('another defect')
})

test('an entry that Weir itself lists is left out and logged, however its address is written', async () => {
  const address = OWN[0]!.strategies[0]!.params.vault!
  const lower = strategySeed('own', { params: { vault: address.toLowerCase() } })
  expect(await start([entryFor(address)], market.chain, [venueSeed('own', [lower])])).toEqual([
    expect.stringMatching(/^venues\[0\] ALREADY_LISTED: /),
  ])
  expect(await start([entryFor(address), entryFor(fixed())])).toEqual([
    expect.stringMatching(/^venues\[0\] ALREADY_LISTED: /),
  ])
  expect(await listed()).toHaveLength(1)
})

test('a process without the file, or with fewer entries, deprecates none of its entries', async () => {
  await start([entryFor(fixed(), { name: 'one' }), entryFor(vaultOf('erc4626:polygon:USDT'), { name: 'other' })])
  await start(undefined)
  expect(await listed()).toEqual(['one active', 'other active'])
  expect(await start([entryFor(fixed(), { name: 'one' })])).toEqual([expect.stringMatching(/no longer has entries/)])
  expect(await listed()).toEqual(['one active', 'other active'])
  expect((await listVenues(database.db)).map(({ status }) => status)).toEqual(['active', 'active'])
})

test('an entry ends by its status, and can come back', async () => {
  const statusOf = async (status: string) => {
    await start([entryFor(fixed(), { name: 'one', status })])
    return [await listed(), (await listVenues(database.db)).at(-1)!.status].flat()
  }
  expect(await statusOf('active')).toEqual(['one active', 'active'])
  expect(await statusOf('deprecated')).toEqual(['one deprecated', 'deprecated'])
  expect(await start([])).toEqual([])
  await start(undefined)
  expect(await listed()).toEqual(['one deprecated'])
  expect(await statusOf('paused')).toEqual(['one paused', 'active'])
})

test('no start lifts a pause that the service set, whatever the file says', async () => {
  const file = (more = {}) => [entryFor(fixed(), { name: 'one', ...more })]
  await start(file())
  await database.db
    .updateTable('strategies')
    .set({ status: 'paused', paused_because: 'wrong_token' })
    .where('listing_source', 'is not', null)
    .execute()
  for (const venues of [undefined, file(), file({ limits: 'unreported' }), file({ status: 'deprecated' }), file()])
    await start(venues)
  expect(await listed()).toEqual(['one paused'])
})

test('an accepted entry never refuses a later start, because its contract may change without Weir', async () => {
  await start([entryFor(fixed(), { name: 'one' })])
  const { chain } = market
  const empty = {
    ...chain,
    contractCode: undefined,
    multicall: async (calls: readonly unknown[]) => calls.map(() => undefined),
  }
  const [line] = await start([entryFor(fixed(), { name: 'renamed' })], empty)
  expect(line).toMatch(/^venues\[0\] WRONG_KIND: .* \(the entry was accepted before and stays listed\)$/)
  expect(await listed()).toEqual(['renamed active'])
  expect(await refusalsOf([entryFor(fixed(), { kind: 'erc7540' })])).toEqual(['0 KIND_CHANGED'])
  const { tokenAddress } = market.strategy('erc4626:polygon:USDT')
  const [other] = await start([entryFor(fixed())], answering(chain, { asset: () => tokenAddress }))
  expect(other).toMatch(/^venues\[0\] UNKNOWN_TOKEN: .* a different token than before, .*stays listed\)$/)
  const [strategy] = await strategiesOnChain(database.db, 'polygon').then((all) => all.filter((s) => s.listingSource))
  expect(strategy).toMatchObject({ token: 'USDC', tokenAddress: market.strategy('erc4626:polygon:USDC').tokenAddress })
})

test('while its chain is unavailable, a new entry is left out, and a known one stays', async () => {
  await start([entryFor(fixed(), { name: 'one' })])
  const down = async () => {
    throw new Failure('CHAIN_UNAVAILABLE')
  }
  const unavailable = { ...market.chain, contractCode: down, multicall: down }
  const lines = await start(
    [entryFor(fixed(), { name: 'one' }), entryFor(vaultOf('erc4626:polygon:USDT'), { name: 'other' })],
    unavailable,
  )
  expect(lines.toSorted()).toEqual([
    expect.stringMatching(/^venues\[0\] CHAIN_UNAVAILABLE: .*stays listed\)$/),
    expect.stringMatching(/^venues\[1\] CHAIN_UNAVAILABLE: .*left out/),
  ])
  expect(await listed()).toEqual(['one active'])
})
