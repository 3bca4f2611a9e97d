import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { type Database, inTransaction, makePartitions, type Tx } from '../../database/index.ts'
import { silentLog } from '../../kernel/index.ts'
import { readYieldSnapshots } from './read-yield-snapshots.ts'

// Also tested in: earnings.test.ts (the numbers of a period).
const database = useFixture(testDatabase)

/** Two snapshots a month of 500 positions, on the 10th and the 20th, in each month that has a partition of its own. */
async function fill(db: Database): Promise<string[]> {
  await makePartitions({ db, log: silentLog, clock: { now: () => new Date(Date.now() + 365 * 86_400_000) } })
  const { rows } = await sql<{ month: string }>`
    select replace(right(inhrelid::regclass::text, 7), '_', '-') as month from pg_inherits
    where inhparent = 'yield_snapshots'::regclass and inhrelid::regclass::text !~ 'before|default' order by 1
  `.execute(db)
  const months = rows.map(({ month }) => month)
  await inTransaction(db, async (tx) => {
    // Rows without their allocation, which only replication may write.
    await sql`set local session_replication_role = replica`.execute(tx)
    for (const month of months)
      await sql`
        insert into yield_snapshots
        select 1, n, ${`${month}-01`}::date + d, 100, 100, 1, 1
        from generate_series(1, 500) n, unnest(array[9, 19]) d
        on conflict do nothing
      `.execute(tx)
  })
  await sql`analyze yield_snapshots`.execute(db)
  return months
}

/** The scans of each partition that this session counted so far; it reports them between transactions only. */
async function scans(tx: Tx): Promise<Map<string, number>> {
  const { rows } = await sql<{ name: string; scans: number }>`
    select relname as name, seq_scan + coalesce(idx_scan, 0) as scans from pg_stat_xact_user_tables
    where relname like 'yield_snapshots%'
  `.execute(tx)
  return new Map(rows.map(({ name, scans }) => [name, scans]))
}

test('a period reads the partitions of its months, and of the last snapshot before them, and no others', async () => {
  const months = await fill(database.db)
  const [before, first] = months.slice(-4)
  expect(months.length).toBeGreaterThan(10)
  const partitions = await inTransaction(database.db, async (tx) => {
    const earlier = await scans(tx)
    const days = await readYieldSnapshots(tx, 1, [7], `${first}-05`)
    expect(days.map(({ day }) => day).slice(0, 2)).toEqual([`${before}-20`, `${first}-10`])
    return [...(await scans(tx))].filter(([name, count]) => count > (earlier.get(name) ?? 0)).map(([name]) => name)
  })
  const expected = months.slice(-4).map((month) => `yield_snapshots_${month.replace('-', '_')}`)
  expect(partitions.filter((name) => name !== 'yield_snapshots_default').sort()).toEqual(expected)
})
