import { sql } from 'kysely'
import { Registry } from 'prom-client'
import { expect, onTestFinished, test } from 'vitest'
import { testDatabase } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { addMilliseconds, type Clock, silentLog, systemClock } from '../../kernel/index.ts'
import { registerDatabaseMetrics } from '../../surfaces/http/index.ts'
import { watchDatabase } from './watch-database.ts'

const database = useFixture(testDatabase)

async function watch(demanded: number, awaitsStandby = () => false, clock: Clock = systemClock) {
  const parts = { db: database.db, log: silentLog, clock, awaitsStandby }
  const watching = await watchDatabase({ ...parts, demanded, isPeriodic: false })
  onTestFinished(() => watching.stop())
  return watching
}

test('a demand for standbys that is not met fails readiness and refuses writes', async () => {
  const { checks, warnings, refusesWrites } = await watch(1)
  expect(Object.keys(checks)).toEqual(['writes', 'replication'])
  expect([await checks.writes!(), await checks.replication!()]).toEqual([true, false])
  expect(await warnings()).toEqual(['one_node'])
  expect(refusesWrites()).toBe(true)
})

test('without a demand one node is enough if PostgreSQL waits for no standby', async () => {
  const { checks, warnings, refusesWrites } = await watch(0)
  expect(Object.keys(checks)).toEqual(['writes'])
  expect(await checks.writes!()).toBe(true)
  expect(await warnings()).toEqual([])
  expect(refusesWrites()).toBe(false)
})

test('while commits wait for a standby that is missing, writes are refused at once, also without a demand', async () => {
  let awaits = true
  for (const demanded of [0, 1]) {
    const { checks, refusesWrites } = await watch(demanded, () => awaits)
    expect(refusesWrites()).toBe(true)
    if (demanded > 0) expect(await checks.replication!()).toBe(false)
  }
  const { refusesWrites } = await watch(0, () => awaits)
  awaits = false
  expect(refusesWrites()).toBe(false)
})

test('a loss causes a warning and a metric until an operator resets it', async () => {
  await sql`update database_history set lost_at = now()`.execute(database.db)
  const lossy = await watch(0)
  expect(await lossy.warnings()).toEqual(['acknowledged_writes_lost'])
  const registry = new Registry()
  registerDatabaseMetrics(registry, lossy)
  const text = await registry.metrics()
  expect(text).toMatch(/^weir_database_lost_writes 1$/m)
  expect(text).toMatch(/^weir_database_writable 1$/m)
  expect(text).toMatch(/^weir_database_sync_standbys 0$/m)
  expect(text).toMatch(/^weir_database_one_node 0$/m)
  await sql`update database_history set lost_at = null`.execute(database.db)
  expect(await (await watch(0)).warnings()).toEqual([])
})

test.each([60_000, -60_000])('a clock that is %i ms ahead causes a warning and a metric', async (aheadMs) => {
  const differing = await watch(0, () => false, { now: () => addMilliseconds(systemClock.now(), aheadMs) })
  expect(await differing.warnings()).toEqual(['clock_differs'])
  const registry = new Registry()
  registerDatabaseMetrics(registry, differing)
  const [, seconds] = /^weir_clock_difference_seconds (.*)$/m.exec(await registry.metrics())!
  expect(Number(seconds) / Math.sign(aheadMs)).toBeGreaterThan(30)
  expect(Number(seconds) / Math.sign(aheadMs)).toBeLessThanOrEqual(60.001)
  expect(Math.abs(differing.clocks.now().getTime() - systemClock.now().getTime())).toBeLessThan(30_000)
})

test('an ordinary user can read the server’s position', async () => {
  const { rows } = await sql`
    select has_function_privilege('public', 'pg_control_system()', 'execute') as control,
      has_function_privilege('public', 'pg_walfile_name(pg_lsn)', 'execute') as walfile
  `.execute(database.db)
  expect(rows).toEqual([{ control: true, walfile: true }])
})
