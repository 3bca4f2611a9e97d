import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../testing/index.ts'
import { type Market, startMarket } from '../../../testing/venues/market.ts'
import { Failure, VENUES_FILE_RETRY_MS } from '../../kernel/index.ts'
import { listVenues, parseVenuesFile, seedCatalogue } from '../../venues/index.ts'
import { type AwaitedVenues, awaitVenues } from './await-venues.ts'
import { seedVenues } from './seed-venues.ts'

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

const vaultOf = (key: string) => market.strategy(key).params.vault!
const entry = (address: string, more: object = {}) => ({
  blockchain: 'polygon',
  kind: 'erc4626',
  address,
  source: 'https://vault.example',
  name: address,
  ...more,
})

/** A process that starts with these entries while their chain is unavailable. */
async function startWithoutChain(venues: readonly unknown[]) {
  const { db } = database
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line).msg) })
  let isDown = true
  const down = async () => {
    throw new Failure('CHAIN_UNAVAILABLE')
  }
  const chain = new Proxy(market.chain, {
    get: (target, name) =>
      isDown && (name === 'multicall' || name === 'contractCode') ? down : Reflect.get(target, name),
  })
  const chains = new Map([['polygon' as const, chain]])
  const entries = parseVenuesFile(JSON.stringify({ version: 1, venues }))
  const seeded = await seedVenues({ db, log }, entries, { chains, remote: [], embedded: undefined })
  /** What `awaitVenues` waits for, and how long. */
  const pauses: { readonly milliseconds: number; readonly end: () => void }[] = []
  const wait = (milliseconds: number, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
      pauses.push({ milliseconds, end: resolve })
      arrived.splice(0).forEach((arrive) => {
        arrive()
      })
    })
  const arrived: (() => void)[] = []
  const awaited = awaitVenues({ db, log, chains, wait }, seeded)
  return {
    awaited,
    lines,
    pauses,
    comeBack: () => {
      isDown = false
    },
    /** Ends the current pause, and waits for the next one or for the end. */
    async next(of: AwaitedVenues) {
      const again = new Promise<void>((resolve) => arrived.push(resolve))
      pauses.at(-1)!.end()
      await Promise.race([again, of.done])
    },
  }
}

async function catalogue(): Promise<string[]> {
  const venues = await listVenues(database.db)
  return venues.flatMap(({ status, strategies }) =>
    strategies.map(({ name, status: own }) => `${status} ${name} ${own}`),
  )
}

test('an entry whose chain was unavailable at the start is added once the chain can be read, without a restart', async () => {
  const fixed = vaultOf('erc4626:polygon:USDC')
  const { awaited, lines, next, comeBack } = await startWithoutChain([entry(fixed)])
  expect(lines).toEqual([
    'venues[0] CHAIN_UNAVAILABLE: polygon is unavailable; the entry is left out until its chain can be read',
  ])
  expect(await catalogue()).toEqual([])
  expect(awaited.warnings()).toEqual(['venues_waiting'])
  await next(awaited)
  expect(awaited.warnings()).toEqual(['venues_waiting'])
  comeBack()
  await next(awaited)
  await awaited.done
  expect(await catalogue()).toEqual([`active ${fixed} active`])
  expect(awaited.warnings()).toEqual([])
  expect(lines.slice(1)).toEqual(['venues[0] is accepted: polygon confirms it'])
})

test('one that its chain contradicts is refused in the log and in /ready, and the others are added', async () => {
  const fixed = vaultOf('erc4626:polygon:USDC')
  const nobody = '0x00000000000000000000000000000000000000aa'
  const { awaited, lines, next, comeBack } = await startWithoutChain([entry(nobody), entry(fixed)])
  comeBack()
  await next(awaited)
  await awaited.done
  expect(await catalogue()).toEqual([`active ${fixed} active`])
  expect(awaited.warnings()).toEqual(['venues_refused'])
  expect(lines.at(-1)).toMatch(/^venues\[0\] NO_CONTRACT: .* \(refused; the service continues without the entry\)$/)
})

test('what another process listed meanwhile stays as that one wrote it', async () => {
  const fixed = vaultOf('erc4626:polygon:USDC')
  const { awaited, next, comeBack } = await startWithoutChain([entry(fixed)])
  const ended = parseVenuesFile(JSON.stringify({ version: 1, venues: [entry(fixed, { status: 'deprecated' })] }))
  const chains = new Map([['polygon' as const, market.chain]])
  const { db } = database
  await seedVenues({ db, log: pino({ level: 'silent' }) }, ended, { chains, remote: [], embedded: undefined })
  comeBack()
  await next(awaited)
  await awaited.done
  expect(await catalogue()).toEqual([`deprecated ${fixed} deprecated`])
})

test('a deprecated venue that gets an active entry becomes active, and nothing else of the catalogue changes', async () => {
  const [fixed, other] = [vaultOf('erc4626:polygon:USDC'), vaultOf('erc4626:polygon:USDT')]
  const { awaited, next, comeBack } = await startWithoutChain([entry(fixed)])
  const ended = parseVenuesFile(JSON.stringify({ version: 1, venues: [entry(other, { status: 'deprecated' })] }))
  const chains = new Map([['polygon' as const, market.chain]])
  const { db } = database
  await seedVenues({ db, log: pino({ level: 'silent' }) }, ended, { chains, remote: [], embedded: undefined })
  expect(await catalogue()).toEqual([`deprecated ${other} deprecated`])
  comeBack()
  await next(awaited)
  await awaited.done
  expect((await catalogue()).sort()).toEqual([`active ${fixed} active`, `active ${other} deprecated`].sort())
  await seedCatalogue(db, [], { chains: ['polygon'] })
  expect((await catalogue()).sort()).toEqual([`active ${fixed} active`, `active ${other} deprecated`].sort())
})

test('it waits longer with each try, up to the longest pause, and ends at once when the service stops', async () => {
  const { awaited, next, pauses } = await startWithoutChain([entry(vaultOf('erc4626:polygon:USDC'))])
  for (let tries = 0; tries < 8; tries += 1) await next(awaited)
  const { first, max } = VENUES_FILE_RETRY_MS
  expect(pauses.map(({ milliseconds }) => milliseconds)).toEqual(
    Array.from({ length: 9 }, (_, tries) => Math.min(first * 2 ** tries, max)),
  )
  await awaited.stop()
  expect(awaited.warnings()).toEqual(['venues_waiting'])
})

test('an error of the database ends no retry', async () => {
  const fixed = vaultOf('erc4626:polygon:USDC')
  const { awaited, lines, next, comeBack } = await startWithoutChain([entry(fixed)])
  comeBack()
  await database.db.schema.alterTable('strategies').renameTo('strategies_away').execute()
  await next(awaited)
  await next(awaited)
  const about = () => lines.filter((line) => line.includes('entries that wait for their chain'))
  expect(about()).toEqual(['failed to read the entries that wait for their chain'])
  await database.db.schema.alterTable('strategies_away').renameTo('strategies').execute()
  await next(awaited)
  await awaited.done
  expect(about()[1]).toBe('the entries that wait for their chain can be read again')
  expect(await catalogue()).toEqual([`active ${fixed} active`])
})
