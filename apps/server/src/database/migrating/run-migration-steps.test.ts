import { sql } from 'kysely'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { testDatabase, until } from '../../../testing/index.ts'
import { loggedLines } from '../../../testing/logged-lines.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { silentLog } from '../../kernel/index.ts'
import { LIFT_TIMEOUTS } from '../connections/durable-client.ts'
import type { Database } from '../handles.ts'
import { dropIndex, index, statement } from '../migration-steps.ts'
import { inTransaction } from '../queries/in-transaction.ts'
import { areStepsApplied, runMigrationSteps, type SteppedMigrations } from './run-migration-steps.ts'

// Also tested in: database/migrating/migrate-under-load.test.ts (the migrations of this version, while others write).
const database = useFixture(testDatabase)
const LOCK_TIMEOUTS = { timeoutMs: 50, idleMs: 8_000, tries: 1_000, pauseMs: 5, longestPauseMs: 20 }

beforeEach(async () => {
  await sql`
    drop table if exists goods;
    create table goods (id bigint primary key, name text);
    insert into goods select n, 'good ' || n % 10 from generate_series(1, 100) n;
    delete from migration_steps where migration like 'goods%';
  `.execute(database.db)
})

/** On a connection without time-outs, as `migrate` runs them. */
const run = (migrations: SteppedMigrations, lockTimeouts = LOCK_TIMEOUTS) =>
  database.db.connection().execute(async (one) => {
    await sql.raw(LIFT_TIMEOUTS).execute(one)
    await runMigrationSteps(one as Database, silentLog, migrations, lockTimeouts)
  })
/** A promise that the test awaits later. If it fails before, the test says so where it awaits it. */
function later<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  return promise
}
const columns = async () =>
  (
    await sql<{ name: string }>`
      select attname as name from pg_attribute where attrelid = 'goods'::regclass and attnum > 0 order by attnum
    `.execute(database.db)
  ).rows.map(({ name }) => name)
const isValid = async (name: string) =>
  (
    await sql<{
      valid: boolean
    }>`select indisvalid as valid from pg_index where indexrelid = to_regclass(${name})`.execute(database.db)
  ).rows[0]?.valid

/** A transaction that uses the table, as a backup or a request does, and holds its lock until it is released. */
async function user(text = 'select count(*) from goods'): Promise<() => Promise<void>> {
  const released = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  onTestFinished(() => released.resolve())
  const over = later(
    inTransaction(database.db, async (tx) => {
      await sql.raw(text).execute(tx)
      begun.resolve()
      await released.promise
    }),
  )
  await begun.promise
  return async () => {
    released.resolve()
    await over
  }
}
const isWaiting = async () =>
  (
    await sql`
      select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like 'alter table goods%'
    `.execute(database.db)
  ).rows.length > 0

test('a step that waits for its lock lets later statements pass, and takes the lock afterwards', async () => {
  const release = await user()
  const migrated = later(run({ goods: [statement('alter table goods add column weight integer')] }))
  await until(isWaiting)
  await sql`insert into goods values (101, 'passes')`.execute(database.db)
  expect(await columns()).not.toContain('weight')
  await release()
  await migrated
  expect(await columns()).toContain('weight')
})

test('a step that never gets its lock fails, and the ones before it stay applied', async () => {
  const migrations = {
    goods: [
      statement('create table if not exists other_goods ()'),
      statement('alter table goods add column weight integer'),
    ],
  }
  const release = await user()
  await expect(run(migrations, { ...LOCK_TIMEOUTS, tries: 2 })).rejects.toMatchObject({ code: '55P03' })
  await release()
  expect(await areStepsApplied(database.db, migrations)).toBe(false)
  expect(await columns()).not.toContain('weight')
  await run(migrations)
  expect(await areStepsApplied(database.db, migrations)).toBe(true)
})

test('an index that an interrupted build left invalid is built again', async () => {
  await expect(
    sql`create unique index concurrently goods_by_name on goods (name)`.execute(database.db),
  ).rejects.toMatchObject({ code: '23505' })
  expect(await isValid('goods_by_name')).toBe(false)
  const migrations = { goods: [index('goods_by_name', 'goods (name)')] }
  await run(migrations)
  expect(await isValid('goods_by_name')).toBe(true)
})

test('a process that died between the build of an index and its record finds it', async () => {
  await sql`create index goods_by_name on goods (name)`.execute(database.db)
  await run({ goods: [index('goods_by_name', 'goods (name)')] })
  expect(await isValid('goods_by_name')).toBe(true)
})

test('one of several processes runs the steps, each once, and the others wait for it', async () => {
  const migrations = {
    'goods-1': [statement('alter table goods add column weight integer'), index('goods_by_weight', 'goods (weight)')],
    'goods-2': [statement('alter table goods add column height integer')],
  }
  await Promise.all([run(migrations), run(migrations), run(migrations)])
  expect(await columns()).toEqual(['id', 'name', 'weight', 'height'])
  expect(await isValid('goods_by_weight')).toBe(true)
})

test('an index is built while others write', async () => {
  const release = await user("insert into goods values (102, 'waits')")
  const migrated = later(run({ goods: [index('goods_by_name', 'goods (name)')] }))
  await until(async () => (await isValid('goods_by_name')) === false)
  // The build waits for that transaction; another writer waits for nobody.
  await sql`insert into goods values (101, 'passes')`.execute(database.db)
  await release()
  await migrated
  expect(await isValid('goods_by_name')).toBe(true)
})

test('an index is dropped while others write, and again after a crash', async () => {
  await run({ goods1: [index('goods_by_name', 'goods (name)')] })
  const goods2 = [dropIndex('goods_by_name')]
  const release = await user("update goods set name = 'other' where id = 1")
  const dropped = later(run({ goods2 }))
  await sql`update goods set name = 'another' where id = 2`.execute(database.db)
  await release()
  await dropped
  expect(await isValid('goods_by_name')).toBe(undefined)
  await sql`delete from migration_steps where migration = 'goods2'`.execute(database.db)
  await run({ goods2 })
  expect(await areStepsApplied(database.db, { goods2 })).toBe(true)
})

test('a step that waits for its lock is logged once, and once when it has it, however often it tries', async () => {
  const { log, lines } = loggedLines()
  const release = await user()
  const migrated = later(
    database.db.connection().execute(async (one) => {
      await sql.raw(LIFT_TIMEOUTS).execute(one)
      const migrations = { goods: [statement('alter table goods add column weight integer')] }
      await runMigrationSteps(one as Database, log, migrations, { ...LOCK_TIMEOUTS, tries: 1_000 })
    }),
  )
  for (let tries = 0; tries < 3; tries += 1) {
    await until(isWaiting)
    await until(async () => !(await isWaiting()))
  }
  await release()
  await migrated
  expect(lines.map(({ msg }) => msg)).toEqual([
    'a migration step could not get its lock; retrying',
    'a migration step got its lock',
    'migrated',
  ])
})

test('a step whose connection is lost fails with its own error, not with that of what follows on the connection', async () => {
  const lost = run({ goods: [statement('select pg_terminate_backend(pg_backend_pid())')] })
  await expect(lost).rejects.toMatchObject({ code: '57P01' })
})
