import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { testDatabase } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { type Log, silentLog } from '../../kernel/index.ts'
import { inTransaction } from '../queries/in-transaction.ts'
import { makePartitions, PARTITIONED_TABLES } from './make-partitions.ts'

const database = useFixture(testDatabase)
/** The first month that the migration left without a partition, which depends on the day of the test. */
let first: string
let logged: [level: string, facts: Logged][]
interface Logged {
  readonly table?: string
  readonly partitions?: number
  readonly rows?: number
}
const log = {
  ...silentLog,
  info: (facts: Logged) => logged.push(['info', facts]),
  warn: (facts: Logged) => logged.push(['warn', facts]),
} as unknown as Log

beforeEach(async () => {
  logged = []
  const { rows } = await sql<{ name: string; is_first: boolean }>`
    select inhrelid::regclass::text as name, inhrelid::regclass::text ~ 'before' as is_first from pg_inherits
    where inhparent = 'yield_snapshots'::regclass
  `.execute(database.db)
  first = rows
    .find(({ is_first }) => is_first)!
    .name.slice(-7)
    .replace('_', '-')
  for (const { name, is_first } of rows)
    if (!is_first && !name.endsWith('default')) await sql`drop table ${sql.table(name)}`.execute(database.db)
  await sql`delete from yield_snapshots`.execute(database.db)
  await inTransaction(database.db, async (tx) => {
    // An allocation without its wallet and strategy, which only replication may write.
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`
      insert into allocations (organization_id, id, wallet_id, strategy_id, status, shares, principal, posted_value,
        posted_price, posted_at, opened_at, updated_at)
      overriding system value values (1, 1, 1, 1, 'CLOSED', 0, 0, 0, 0, now(), now(), now())
      on conflict do nothing
    `.execute(tx)
  })
})

/** A day in the month that comes this many months after the first one without a partition. */
const dayIn = (month: number, day = 10) => {
  const [year = 0, number = 0] = first.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + month, day)).toISOString().slice(0, 10)
}
const nameOf = (month: number) => `yield_snapshots_${dayIn(month).slice(0, 7).replace('-', '_')}`
const make = (month: number) => {
  const now = new Date(`${dayIn(month, 28)}T23:59:59.999Z`)
  return makePartitions({ db: database.db, log, clock: { now: () => now } })
}
const partitions = async () => {
  const { rows } = await sql<{ name: string }>`
    select inhrelid::regclass::text as name from pg_inherits
    where inhparent = 'yield_snapshots'::regclass and inhrelid::regclass::text !~ 'before|default' order by 1
  `.execute(database.db)
  return rows.map(({ name }) => name)
}
const insert = async (days: readonly string[], allocation = 1) => {
  for (const day of days)
    await sql`insert into yield_snapshots values (1, ${allocation}, ${day}, 100, 100, 0, 0)`.execute(database.db)
}
const places = async () => {
  const { rows } = await sql<{ name: string }>`
    select tableoid::regclass::text as name from yield_snapshots order by day
  `.execute(database.db)
  return rows.map(({ name }) => name)
}

test('every partitioned table of the database gets its partitions, by the column that divides it', async () => {
  const { rows } = await sql<{ table: string; column: string }>`
    select partrelid::regclass::text as table, attname::text as column from pg_partitioned_table
    join pg_attribute on attrelid = partrelid and attnum = partattrs[0] order by 1
  `.execute(database.db)
  expect(rows).toEqual(PARTITIONED_TABLES)
})

test('the present month and the next two have partitions, each made once', async () => {
  await make(-2)
  expect(await partitions()).toEqual([nameOf(0)])
  await Promise.all([make(-2), make(-2), make(0), make(0)])
  await make(0)
  expect(await partitions()).toEqual([nameOf(0), nameOf(1), nameOf(2)])
  // One of two at once may have given way to the other, and said so.
  expect(logged.reduce((sum, [, made]) => sum + (made.partitions ?? 0), 0)).toBe(3)
  await insert([dayIn(-1), dayIn(0, 1), dayIn(2, 28), dayIn(3, 1)])
  expect((await places()).slice(1)).toEqual([nameOf(0), nameOf(2), 'yield_snapshots_default'])
})

test('months without a worker leave no gap, and rows that came before their partition move to it, with a warning', async () => {
  await insert([dayIn(0), dayIn(1, 1), dayIn(1), dayIn(4)])
  await make(2)
  expect(await partitions()).toEqual([0, 1, 2, 3, 4].map(nameOf))
  expect(await places()).toEqual([nameOf(0), nameOf(1), nameOf(1), nameOf(4)])
  expect(logged).toEqual([['warn', { table: 'yield_snapshots', partitions: 5, rows: 4 }]])
})

test('rows of a chain that is years ahead of the clock are taken at once, and its months get partitions', async () => {
  await insert([dayIn(30)])
  expect(await places()).toEqual(['yield_snapshots_default'])
  await make(-2)
  expect(await partitions()).toHaveLength(31)
  expect(await places()).toEqual([nameOf(30)])
})

test('a partition has the key and the reference of its table', async () => {
  await make(0)
  await insert([dayIn(0)])
  await expect(insert([dayIn(0)])).rejects.toMatchObject({ code: '23505' })
  await expect(insert([dayIn(0)], 2)).rejects.toMatchObject({ code: '23503' })
})

test('a long read delays a partition, and nobody else: it is made in a later round', async () => {
  await inTransaction(database.db, async (tx) => {
    await sql`select count(*) from yield_snapshots`.execute(tx)
    await make(-2)
    await make(-2)
    await insert([dayIn(0)])
  })
  expect(await partitions()).toEqual([])
  expect(logged, 'once, however often it is tried').toEqual([['warn', { table: 'yield_snapshots' }]])
  await make(-2)
  expect(logged[1]).toMatchObject(['info', { table: 'yield_snapshots', failures: 2 }])
  expect(await places()).toEqual([nameOf(0)])
})
