import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { testDatabase, until } from '../../testing/index.ts'
import { useFixture } from '../../testing/use-fixture.ts'
import { silentLog } from '../kernel/index.ts'
import { LIFT_TIMEOUTS } from './connections/durable-client.ts'
import { openDatabase } from './connections/open-database.ts'
import { areStepsApplied, runMigrationSteps } from './migrating/run-migration-steps.ts'
import { type MigrationStep, partitionByMonth } from './migration-steps.ts'
import { inTransaction } from './queries/in-transaction.ts'

// Also tested in: system/processes/upgrade.test.ts (a database of an earlier version keeps its rows).
const database = useFixture(testDatabase)
const STEPS = partitionByMonth('readings', 'day')
const LOCK_TIMEOUTS = { timeoutMs: 200, idleMs: 8_000, tries: 1_000, pauseMs: 5, longestPauseMs: 20 }

beforeEach(async () => {
  await sql`
    drop table if exists readings, meters;
    create table meters (organization_id bigint, id bigint, amount numeric not null default 0, primary key (organization_id, id));
    insert into meters select 1, n from generate_series(1, 20) n;
    create table readings (
      organization_id bigint not null, meter_id bigint not null, day date not null, amount numeric(78, 0) not null,
      primary key (organization_id, meter_id, day),
      foreign key (organization_id, meter_id) references meters (organization_id, id)
    );
    insert into readings select 1, n, current_date - d, d from generate_series(1, 20) n, generate_series(1, 400) d;
    delete from migration_steps where migration = 'readings';
  `.execute(database.db)
})

const run = (steps: readonly MigrationStep[] = STEPS) =>
  database.db.connection().execute(async (one) => {
    await sql.raw(LIFT_TIMEOUTS).execute(one)
    await runMigrationSteps(one, silentLog, { readings: steps }, LOCK_TIMEOUTS)
  })
const insert = (day: string, meter = 1) =>
  sql`insert into readings values (1, ${meter}, ${sql.raw(day)}, 1)`.execute(database.db)
/** The rows of each partition, which is named by what follows the table's name. */
const partitions = async () => {
  const { rows } = await sql<{ name: string; rows: number }>`
    select substring(tableoid::regclass::text from '^readings_(before|default)') as name, count(*)::integer as rows
    from readings group by 1 order by 1
  `.execute(database.db)
  return Object.fromEntries(rows.map((row) => [row.name, row.rows]))
}

test('a filled table becomes partitioned with its rows, keys, references and grants', async () => {
  await sql`create role reporting; grant select on readings to reporting with grant option`.execute(database.db)
  try {
    await run()
    expect(await partitions()).toEqual({ before: 8_000 })
    await expect(insert('current_date - 1')).rejects.toMatchObject({ code: '23505' })
    await expect(insert('current_date', 21)).rejects.toMatchObject({ code: '23503' })
    await expect(insert('null')).rejects.toMatchObject({ code: '23502' })
    await expect(sql`delete from meters where id = 1`.execute(database.db)).rejects.toMatchObject({ code: '23503' })
    const { rows } = await sql<{ may_read: boolean; names: string[] }>`
      select has_table_privilege('reporting', 'readings', 'select with grant option') as may_read,
        array(select conname::text from pg_constraint where conrelid = 'readings'::regclass and contype in ('p', 'f')
          order by 1) as names
    `.execute(database.db)
    expect(rows).toEqual([{ may_read: true, names: ['readings_organization_id_meter_id_fkey', 'readings_pkey'] }])
  } finally {
    await sql`drop table readings; drop role reporting`.execute(database.db)
  }
})

test('a row for any later day is taken', async () => {
  await run()
  for (const day of ['current_date', "current_date + interval '3 months'", "'2999-01-01'"]) await insert(day)
  expect(await partitions()).toEqual({ before: 8_001, default: 2 })
})

test('the exchange reads no row under its lock', async () => {
  await run(STEPS.slice(0, 1))
  const { db, pool, close } = openDatabase({ url: database.url, log: silentLog, max: 1 })
  const notices: string[] = []
  pool.on('connect', (client) => client.on('notice', ({ message }) => notices.push(String(message))))
  await sql`set client_min_messages = debug1`.execute(db)
  await db.connection().execute((one) => runMigrationSteps(one, silentLog, { readings: STEPS }, LOCK_TIMEOUTS))
  await close()
  // This is how PostgreSQL says that a proof replaced its scan.
  const proof = /^partition constraint for table "readings_before_\d{4}_\d\d" is implied by existing constraints$/
  expect(notices.filter((notice) => proof.test(notice))).toHaveLength(1)
})

test('processes of an earlier version go on writing and reading under the same name', async () => {
  let isRunning = true
  let written = 0
  const writer = async (meter: number) => {
    for (let n = 0; isRunning; n += 1) {
      await inTransaction(database.db, async (tx) => {
        await sql`update meters set amount = amount + 1 where id = ${meter}`.execute(tx)
        await sql`
          insert into readings values (1, ${meter}, current_date - 1000 - ${n}::integer, 1)
          on conflict (organization_id, meter_id, day) do update set amount = excluded.amount
        `.execute(tx)
      })
      written += 1
    }
  }
  const load = [writer(1), writer(2), writer(3)]
  try {
    await until(() => written > 10)
    await run()
    const before = written
    await until(() => written > before + 10)
  } finally {
    isRunning = false
    await Promise.all(load)
  }
  expect(await partitions()).toEqual({ before: 8_000 + written })
})

test('a process that dies between two steps leaves a table that takes the rows of this month and the next', async () => {
  await run(STEPS.slice(0, 1))
  expect(await areStepsApplied(database.db, { readings: STEPS })).toBe(false)
  await insert('current_date')
  await insert("current_date + interval '1 month'")
  await run()
  expect(await areStepsApplied(database.db, { readings: STEPS })).toBe(true)
  expect(await partitions()).toEqual({ before: 8_002 })
})

test('a process that dies before the bound is proved, or before a record, is continued', async () => {
  const bound = async () => {
    const { rows } = await sql<{ name: string }>`
      select conname as name from pg_constraint where conrelid = 'readings'::regclass and contype = 'c'
    `.execute(database.db)
    return rows.map(({ name }) => name)
  }
  await run(STEPS.slice(0, 1))
  const [name] = await bound()
  await sql`
    delete from migration_steps where migration = 'readings';
    update pg_constraint set convalidated = false where conname = ${sql.lit(name)};
  `.execute(database.db)
  await run(STEPS.slice(0, 1))
  expect(await bound()).toEqual([name])
  await run()
  expect(await bound()).toEqual([])
  await sql`delete from migration_steps where migration = 'readings'`.execute(database.db)
  await run()
  expect(await partitions()).toEqual({ before: 8_000 })
})

test('a row beyond the bound that arrived before it moves the bound', async () => {
  await insert("current_date + interval '10 years'")
  await sql`alter table readings add constraint readings_before_2026_01 check (day < '2026-01-01') not valid`.execute(
    database.db,
  )
  await run()
  expect(await partitions()).toEqual({ before: 8_001 })
})

test('a table with a part that would be lost is refused and left as it is', async () => {
  await sql`create index readings_by_day on readings (day)`.execute(database.db)
  await expect(run()).rejects.toThrow('partitioning readings would lose readings_by_day')
  await insert('current_date')
})
