import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { type DatabaseProxy, databaseProxy } from '../../../testing/database/database-proxy.ts'
import { testDatabase, until } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { silentLog } from '../../kernel/index.ts'
import { inTransaction } from '../queries/in-transaction.ts'
import { LIFT_STATEMENT_TIMEOUT } from './durable-client.ts'
import { isDatabaseUnavailable } from './is-database-unavailable.ts'
import { type OpenDatabase, openDatabase } from './open-database.ts'
import { ConnectionWatch } from './watch-connections.ts'

/** Rounds short enough for a test; limits are counted in rounds. */
const ROUND_MS = 500

const database = useFixture(testDatabase)
const opened: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close()
})

async function throughProxy(roundMs = ROUND_MS): Promise<OpenDatabase & { proxy: DatabaseProxy }> {
  const proxy = await databaseProxy(database.url)
  opened.push(() => proxy.close())
  return { ...open(proxy.url, roundMs), proxy }
}

function open(url: string, roundMs = ROUND_MS): OpenDatabase {
  const one = openDatabase({ url, log: silentLog, max: 2, watch: new ConnectionWatch(roundMs) })
  opened.push(() => one.close())
  return one
}

const pidOf = async ({ db }: OpenDatabase) =>
  (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]!.pid

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return await work.then(
    () => expect.fail('the statement succeeded'),
    (error: unknown) => error,
  )
}

test('a statement on a network that swallows packets fails within rounds, and the next connection works', async () => {
  const pool = await throughProxy()
  const { db, proxy } = pool
  const before = await pidOf(pool)
  proxy.swallow({ new: true })
  const error = await failureOf(sql`select 1`.execute(db))
  expect(isDatabaseUnavailable(error)).toBe(true)
  expect(String(error)).toContain('the server does not respond')
  proxy.heal()
  expect(await pidOf(pool)).not.toBe(before)
})

test('a response that got lost ends its connection, although the server responds to others', async () => {
  // So that the server responds in time.
  const { db, proxy } = await throughProxy(2 * ROUND_MS)
  await sql`select 1`.execute(db)
  proxy.swallow({ from: 'server' })
  const error = await failureOf(sql`select 2`.execute(db))
  expect(isDatabaseUnavailable(error)).toBe(true)
  expect(String(error)).toContain('no longer executes')
})

test('a lost commit fails as unavailable, and its effect is found by reading back', async () => {
  const { db, proxy } = await throughProxy()
  await sql`create table if not exists kept (id int)`.execute(database.db)
  const work = inTransaction(db, async (tx) => {
    await sql`insert into kept values (1)`.execute(tx)
    proxy.swallow({ from: 'server' })
  })
  expect(isDatabaseUnavailable(await failureOf(work))).toBe(true)
  expect((await sql`select from kept`.execute(db)).rows).toHaveLength(1)
})

test('a slow statement goes on as long as the server executes it', async () => {
  const { db } = await throughProxy()
  const { rows } = await sql<{ slept: string }>`select pg_sleep(4)::text as slept`.execute(db)
  expect(rows).toHaveLength(1)
})

test('a statement whose transaction lifted the time-out takes its time', async () => {
  const url = new URL(database.url)
  url.searchParams.set('statement_timeout', '1000')
  const { db } = open(url.href)
  await db.transaction().execute(async (tx) => {
    await sql.raw(LIFT_STATEMENT_TIMEOUT).execute(tx)
    // Longer than the time-out and all rounds of grace.
    const { rows } = await sql`select pg_sleep(4)`.execute(tx)
    expect(rows).toHaveLength(1)
  })
  expect(String(await failureOf(sql`select pg_sleep(60)`.execute(db)))).toContain('statement timeout')
})

test('a frozen backend delays its statement by its time-out and a few rounds', async () => {
  const url = new URL(database.url)
  // Enough for the test to find the statement and to freeze its backend.
  url.searchParams.set('statement_timeout', '3000')
  const pool = open(url.href)
  const pid = await pidOf(pool)
  const failed = failureOf(sql`select pg_sleep(60)`.execute(pool.db))
  await until(async () => {
    const { rows } = await sql`select from pg_stat_activity where pid = ${pid} and state = 'active'`.execute(
      database.db,
    )
    return rows.length > 0
  })
  process.kill(pid, 'SIGSTOP')
  onTestFinished(() => void process.kill(pid, 'SIGCONT'))
  const error = await failed
  expect(isDatabaseUnavailable(error)).toBe(true)
  expect(String(error)).toContain('did not end the statement at its time-out')
  expect(await pidOf(pool)).not.toBe(pid)
})

test('every session limits statements, locks and idle transactions, and finds out that its client vanished', async () => {
  const names = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'tcp_user_timeout']
  const all = [...names, 'tcp_keepalives_idle', 'client_connection_check_interval', 'application_name']
  const { rows } = await sql<{ name: string; setting: string }>`
    select name, setting from pg_settings where name = any(${all})
  `.execute(database.db)
  expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
    statement_timeout: '30000',
    lock_timeout: '10000',
    idle_in_transaction_session_timeout: '8000',
    tcp_user_timeout: '10000',
    tcp_keepalives_idle: '5',
    client_connection_check_interval: '2000',
    application_name: 'weir',
  })
})

test('a killed client that waits for a lock releases what it holds within seconds', async () => {
  const { db, proxy } = await throughProxy()
  await sql`create table if not exists held (id int primary key)`.execute(database.db)
  await sql`insert into held values (1), (2) on conflict do nothing`.execute(database.db)
  const holder = new pg.Client({ connectionString: database.url })
  await holder.connect()
  onTestFinished(() => holder.end())
  await holder.query('begin; update held set id = id where id = 1')
  const waiting = inTransaction(db, async (tx) => {
    await sql`update held set id = id where id = 2`.execute(tx)
    await sql`update held set id = id where id = 1`.execute(tx)
  })
  const failed = failureOf(waiting)
  await until(async () => (await sql`select from pg_locks where not granted`.execute(database.db)).rows.length > 0)
  await proxy.close()
  opened.splice(0, 1)
  await failed
  await sql`update held set id = id where id = 2`.execute(database.db)
})
