// Tests `watch-connections.ts` and `durable-client.ts` on a PostgreSQL whose commits wait for a standby that is not there.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { until } from '../../../testing/index.ts'
import { silentLog } from '../../kernel/index.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../embedded/start-embedded-postgres.ts'
import { openLeaseSession } from '../leases/lease-session.ts'
import { migrate } from '../migrating/migrate.ts'
import { inTransaction } from '../queries/in-transaction.ts'
import { isStandbyAwaited } from './connection-plan.ts'
import { UncertainCommitError } from './durable-client.ts'
import { isDatabaseUnavailable } from './is-database-unavailable.ts'
import { type OpenDatabase, openDatabase } from './open-database.ts'
import { ConnectionWatch } from './watch-connections.ts'

/** Rounds short enough for a test; limits are counted in rounds. */
const ROUND_MS = 500
const POOL = 4

let dataDir: string
let server: EmbeddedPostgres
let admin: pg.Client
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'weir-standby-'))
  // Without senders, PostgreSQL waits for no standby.
  const settings = { wal_level: 'replica', max_wal_senders: 2 }
  server = await startEmbeddedPostgres({ dataDir, log: silentLog, survivesPowerLoss: false, settings })
  admin = new pg.Client(server.url)
  await admin.connect()
  const { db, close } = openDatabase({ url: server.url, log: silentLog })
  await migrate(db, silentLog)
  await close()
  await admin.query('create table kept (id int)')
})
afterAll(async () => {
  await admin?.end()
  await server?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const demandStandby = async (names: string) => {
  await admin.query(`alter system set synchronous_standby_names = '${names}'`)
  await admin.query('select pg_reload_conf()')
  await until(
    async () => (await admin.query('show synchronous_standby_names')).rows[0].synchronous_standby_names === names,
  )
}
beforeEach(() => demandStandby('missing'))
afterEach(async () => {
  await demandStandby('')
  // The watch of this process is that of other tests too.
  await until(() => !isStandbyAwaited(), 60_000)
})

function open(): OpenDatabase {
  const opened = openDatabase({ url: server.url, log: silentLog, max: POOL, watch: new ConnectionWatch(ROUND_MS) })
  onTestFinished(() => opened.close())
  return opened
}

const write = ({ db }: OpenDatabase) => inTransaction(db, (tx) => sql`insert into kept values (1)`.execute(tx))
const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => expect.fail('it was written'),
    (error: unknown) => error,
  )
const waiting = async (): Promise<number> =>
  (await admin.query("select from pg_stat_activity where wait_event = 'SyncRep'")).rows.length

test('commits that wait for a missing standby fail, hold no more connections, and others read meanwhile', async () => {
  const database = open()
  const failures = await Promise.all(Array.from({ length: POOL }, () => failureOf(write(database))))
  for (const failure of failures) expect(isDatabaseUnavailable(failure), String(failure)).toBe(true)
  expect(String(failures[0])).toContain('no standby confirms the commit')
  expect(await waiting()).toBe(POOL)
  // Each of these would leave one more waiting backend, until no session is left.
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const alone = () => sql`insert into kept values (2)`.execute(database.db)
    const byPool = () => database.pool.query('insert into kept values (2)')
    const refused = await failureOf([() => write(database), alone, byPool][attempt % 3]!())
    expect(String(refused)).toContain('nothing was written')
    expect(isDatabaseUnavailable(refused)).toBe(true)
  }
  expect(await waiting()).toBe(POOL)
  expect((await sql`select from kept`.execute(database.db)).rows).toEqual([])
  const { rows } = await inTransaction(database.db, (tx) => sql`select 1 as one`.execute(tx))
  expect(rows).toEqual([{ one: 1 }])
  await demandStandby('')
  await until(async () => {
    await write(database)
    return true
  })
  expect(await waiting()).toBe(0)
  // Those that waited, and took effect; nothing of what was refused.
  expect((await sql`select id from kept`.execute(database.db)).rows).toEqual(
    Array.from({ length: POOL + 1 }, () => ({ id: 1 })),
  )
})

test('a statement whose commit PostgreSQL gave up to replicate is uncertain, within a transaction and alone', async () => {
  const database = open()
  const alone = () => sql`insert into kept values (3)`.execute(database.db)
  const byPool = () => database.pool.query('insert into kept values (3)')
  for (const work of [() => write(database), alone, byPool]) {
    const failed = failureOf(work())
    await until(async () => (await waiting()) === 1)
    await admin.query("select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'")
    expect(await failed).toBeInstanceOf(UncertainCommitError)
  }
})

test('a session on a new timeline can read although no standby is there', async () => {
  await admin.query('set synchronous_commit = local')
  await admin.query("update database_history set place = '1/00000001'")
  const { db } = open()
  expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }])
  const { rows } = await sql<{ epoch: number }>`select epoch from database_history`.execute(db)
  expect(rows[0]!.epoch).toBeGreaterThan(0)
  expect(await waiting()).toBe(0)
})

test('a worker that cannot join for want of a standby leaves no second process of PostgreSQL waiting', async () => {
  const join = () =>
    openLeaseSession({
      databaseUrl: server.url,
      leaseMs: 10_000,
      replaces: undefined,
      onChange: () => undefined,
      onGone: () => undefined,
    })
  await failureOf(join())
  await until(() => isStandbyAwaited())
  for (let attempt = 0; attempt < 3; attempt += 1)
    expect(String(await failureOf(join()))).toContain('nothing was written')
  expect(await waiting()).toBe(1)
})
