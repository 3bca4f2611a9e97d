import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { databaseProxy } from '../../../testing/database/database-proxy.ts'
import { type TestDatabase, testDatabase, until } from '../../../testing/index.ts'
import { claimChains } from './claim-chains.ts'
import { createShutdownStack, type ShutdownStack } from './shutdown-stack.ts'

let database: TestDatabase
let stacks: ShutdownStack[]
beforeEach(async () => {
  database = await testDatabase()
  stacks = []
})
afterEach(async () => {
  for (const stack of stacks) await stack.unwind(() => {})
  await database.close()
})

function claim(onBroken: (line: string) => void = () => {}, embedded = ['BASE_RPC_URL', 'SOLANA_RPC_URL']) {
  const stack = createShutdownStack()
  stacks.push(stack)
  return claimChains(database.url, { embedded, stack, onBroken })
}
const claimWithoutChains = (onBroken?: (line: string) => void) => claim(onBroken, [])

/** Breaks the claim as a restart of the database does. */
async function cut(): Promise<number> {
  const { rows } = await sql<{ pid: number }>`
    select pid, pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'weir embedded chains' and datname = current_database()
  `.execute(database.db)
  return rows[0]!.pid
}

const holders = async () => {
  const { rows } = await sql<{ pid: number }>`
    select l.pid from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'advisory' and l.granted and a.datname = current_database()
  `.execute(database.db)
  return rows.map(({ pid }) => pid)
}

test('a second process is refused, even after the database dropped the first one’s claim', async () => {
  const told: string[] = []
  await claim((line) => told.push(line))
  await expect(claim()).rejects.toThrow('only one process can serve those')
  const before = await cut()
  await until(async () => (await holders()).some((pid) => pid !== before))
  await expect(claim()).rejects.toThrow('only one process can serve those')
  expect(told).toEqual([])
})

test('processes that embed no chain share a database, and none with embedded chains starts on it', async () => {
  const told: string[] = []
  await claimWithoutChains((line) => told.push(line))
  await claimWithoutChains((line) => told.push(line))
  await expect(claim()).rejects.toThrow('stop the other one, or set BASE_RPC_URL, SOLANA_RPC_URL for every process')
  const before = await holders()
  await cut()
  await until(async () => (await holders()).filter((pid) => !before.includes(pid)).length === 2)
  expect(told).toEqual([])
  for (const stack of stacks) await stack.unwind(() => {})
  await until(async () => (await holders()).length === 0)
  await claim()
})

test('a process on RPC endpoints of its own does not start on the database of embedded chains', async () => {
  await claim()
  await expect(claimWithoutChains()).rejects.toThrow(
    'only one process can serve those: stop it, or restart it with RPC endpoints for all chains',
  )
})

test('a process that stops while it takes its claim again holds none afterwards', async () => {
  const proxy = await databaseProxy(database.url)
  const stack = createShutdownStack()
  await claimChains(proxy.url, { embedded: ['BASE_RPC_URL'], stack, onBroken: () => {} })
  await cut()
  await until(async () => proxy.accepted() === 2)
  await stack.unwind(() => {})
  await until(async () => (await holders()).length === 0)
  await claim()
  await proxy.close()
})

test('a process that lost its claim to another one has to stop', async () => {
  const told: string[] = []
  await claim((line) => told.push(line))
  const other = new pg.Client({ connectionString: database.url })
  await other.connect()
  const waits = other.query(`select pg_advisory_lock(hashtextextended('weir embedded chains', 0))`)
  await until(async () => {
    const { rows } = await sql`
      select from pg_locks l join pg_stat_activity a on a.pid = l.pid
      where l.locktype = 'advisory' and not l.granted and a.datname = current_database()
    `.execute(database.db)
    return rows.length > 0
  })
  await cut()
  await waits
  await until(() => told.length > 0)
  expect(told).toEqual(['another process serves the chains of DATABASE_URL now'])
  await other.end()
})
