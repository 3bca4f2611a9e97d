// Tests `watch-database.ts` on a PostgreSQL whose standby is lost, as Patroni without strict mode leaves it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { until } from '../../../testing/index.ts'
import { startStandby } from '../../../testing/stand-ins/test-standby.ts'
import {
  type Database,
  type EmbeddedPostgres,
  migrate,
  openDatabase,
  startEmbeddedPostgres,
} from '../../database/index.ts'
import { silentLog, systemClock } from '../../kernel/index.ts'
import { watchDatabase } from './watch-database.ts'

let dataDir: string
let server: EmbeddedPostgres
let opened: ReturnType<typeof openDatabase>
let db: Database
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'weir-lost-standby-'))
  const settings = { wal_level: 'replica', max_wal_senders: 2 }
  server = await startEmbeddedPostgres({ dataDir, log: silentLog, survivesPowerLoss: false, settings })
  opened = openDatabase({ url: server.url, log: silentLog })
  db = opened.db
  await migrate(db, silentLog)
})
afterAll(async () => {
  await opened?.close()
  await server?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const demandStandby = async (names: string) => {
  await sql`alter system set synchronous_standby_names = ${sql.lit(names)}`.execute(db)
  await sql`select pg_reload_conf()`.execute(db)
}

const standbys = async () => {
  const { rows } = await sql<{ state: string }>`select sync_state as state from pg_stat_replication`.execute(db)
  return rows.map(({ state }) => state)
}

/** As a process that has just started sees it. */
async function readiness() {
  const watching = await watchDatabase({ db, log: silentLog, clock: systemClock, demanded: 0, isPeriodic: false })
  onTestFinished(() => watching.stop())
  return {
    writes: await watching.checks.writes!(),
    warnings: await watching.warnings(),
    restsOnOneNode: watching.restsOnOneNode(watching.health.last!),
    refusesWrites: watching.refusesWrites(),
  }
}

const FINE = { writes: true, warnings: [], restsOnOneNode: false, refusesWrites: false }
const ON_ONE_NODE = { writes: true, warnings: ['one_node'], restsOnOneNode: true, refusesWrites: false }

test('after the standby is lost and the server waits for none, readiness and metric say so until an operator ends it', async () => {
  expect(await readiness()).toEqual(FINE)
  let standby = await startStandby(server.url, 'second')
  await demandStandby('second')
  await until(async () => (await standbys()).includes('sync'))
  expect(await readiness()).toEqual(FINE)

  await demandStandby('')
  await standby.close()
  await until(async () => (await standbys()).length === 0)
  expect(await readiness()).toEqual(ON_ONE_NODE)

  standby = await startStandby(server.url, 'second')
  await demandStandby('second')
  await until(async () => (await standbys()).includes('sync'))
  expect(await readiness()).toEqual(FINE)

  await demandStandby('')
  await standby.close()
  await sql`update database_history set was_replicated = false`.execute(db)
  expect(await readiness()).toEqual(FINE)
})
