import { sql } from 'kysely'
import { afterEach, expect, inject, test } from 'vitest'
import { databaseProxy } from '../../../testing/database/database-proxy.ts'
import { runStatement } from '../../../testing/database/databases.ts'
import { testDatabase, until } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { silentLog } from '../../kernel/index.ts'
import { isDatabaseUnavailable } from './is-database-unavailable.ts'
import { type OpenDatabase, openDatabase } from './open-database.ts'
import { ConnectionWatch } from './watch-connections.ts'

// Each is a server of its own for the client: proxies give both the same name.
const left = useFixture(testDatabase)
const right = useFixture(testDatabase)
const opened: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close()
  for (const { url } of [left, right]) await become(url, 'primary')
})

const nameOf = (url: string) => new URL(url).pathname.slice(1)

/** As after a failover: sessions on a standby end, and new ones are read-only. */
async function become(url: string, role: 'primary' | 'standby'): Promise<void> {
  await runStatement(
    inject('postgresUrl'),
    `alter database ${nameOf(url)} set default_transaction_read_only = ${role === 'standby'}`,
  )
}

/** A pool for a URL with both servers. */
async function openBoth(parameters = ''): Promise<OpenDatabase> {
  const proxies = [await databaseProxy(left.url), await databaseProxy(right.url, [nameOf(left.url), nameOf(right.url)])]
  opened.push(...proxies.map(({ close }) => close))
  const { username, password, pathname } = new URL(left.url)
  const hosts = proxies.map(({ authority }) => authority).join(',')
  return openAt(`postgres://${username}:${password}@${hosts}${pathname}${parameters}`)
}

function openAt(url: string): OpenDatabase {
  const one = openDatabase({ url, log: silentLog, max: 2, watch: new ConnectionWatch(100) })
  opened.push(() => one.close())
  return one
}

const databaseOf = async ({ db }: OpenDatabase) =>
  (await sql<{ name: string }>`select current_database() as name`.execute(db)).rows[0]!.name
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

test('the first of several servers that accepts writes is used', async () => {
  expect(await databaseOf(await openBoth())).toBe(nameOf(left.url))
  await become(left.url, 'standby')
  expect(await databaseOf(await openBoth())).toBe(nameOf(right.url))
})

test('after a failover the next connection goes to the new primary', async () => {
  await become(right.url, 'standby')
  const pool = await openBoth()
  expect(await databaseOf(pool)).toBe(nameOf(left.url))
  await become(left.url, 'standby')
  await become(right.url, 'primary')
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${nameOf(left.url)} and pid <> pg_backend_pid()`.execute(
    right.db,
  )
  await until(async () => (await databaseOf(pool).catch(() => undefined)) === nameOf(right.url))
})

test('a write that a demoted primary refuses is unavailable, and its connection is not used again', async () => {
  const pool = await openBoth()
  // An open session keeps its mode until it is demoted, as here.
  await sql`set default_transaction_read_only = on`.execute(pool.db)
  const error = await failureOf(sql`create table t ()`.execute(pool.db))
  expect(error).toMatchObject({ code: '25006' })
  expect(isDatabaseUnavailable(error)).toBe(true)
  await sql`create table if not exists written ()`.execute(pool.db)
})

test('a server that is unreachable is skipped, and the order of the URL decides', async () => {
  const { username, password, port, pathname } = new URL(left.url)
  const pool = openAt(`postgres://${username}:${password}@127.0.0.1:1,127.0.0.1:${port}${pathname}`)
  expect(await databaseOf(pool)).toBe(nameOf(left.url))
})

test('when no server accepts writes, the error says why for each of them', async () => {
  await become(left.url, 'standby')
  await become(right.url, 'standby')
  const error = await failureOf(databaseOf(await openBoth()))
  expect(isDatabaseUnavailable(error)).toBe(true)
  expect(String(error)).toMatch(/127\.0\.0\.1:\d+ does not accept writes.*; 127\.0\.0\.1:\d+ does not accept writes/)
})

test('a single standby is refused too, unless the URL says that any server will do', async () => {
  await become(left.url, 'standby')
  const error = await failureOf(databaseOf(openAt(left.url)))
  expect(error).toMatchObject({ code: '25006' })
  const any = new URL(left.url)
  any.searchParams.set('target_session_attrs', 'any')
  expect(await databaseOf(openAt(any.href))).toBe(nameOf(left.url))
})
