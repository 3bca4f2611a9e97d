import { sql } from 'kysely'
import { countStatements } from '../testing/database/count-statements.ts'
import type { BenchDatabase, BenchEnvironment } from './bench-environment.ts'
import { type Comparison, summary } from './compare.ts'
import { dailyAccrual } from './daily-accrual.ts'
import { partitionPastMonths } from './partition-past-months.ts'
import { seedAllocations, seedWallets, seedYield } from './seed.ts'

/** What docs/scaling.md states; none of its figures is extrapolated. */
const POSITIONS = 100_000
const DAYS = 2
/** Days before, so that the indexes have their usual depth and the first postings of the positions are behind them. */
const DAYS_BEFORE = 30
/** What docs/scaling.md plans for: a gigabyte a day for a million positions. */
const BUDGET = 1_000

const GROWING = ['ledger_entries', 'ledger_postings', 'yield_snapshots'] as const

/**
 * What a day of positions without movements writes, as docs/scaling.md states it: rows with their indexes, and the
 * write-ahead log. Prints both, with the number of statements; it compares the rows' bytes with a budget, because there is
 * nothing that writes none.
 */
export async function growthBench(workplace: BenchEnvironment): Promise<Comparison[]> {
  const database = await workplace.openDatabase()
  const { organizationId } = database
  try {
    const positions = workplace.sized(POSITIONS, 20)
    const before = workplace.sized(DAYS_BEFORE, 2)
    await seedWallets(database, organizationId, positions)
    await seedAllocations(database, organizationId, { closed: 0, open: positions })
    await partitionPastMonths(database, before)
    await seedYield(database, organizationId, before)
    const nextDay = await dailyAccrual(database, before)
    const ratios: number[] = []
    for (let day = 1; day <= DAYS; day += 1) {
      const from = await sizeOf(database)
      const { statements } = await countStatements(nextDay)
      const to = await sizeOf(database)
      const tables = GROWING.map((table) => ({
        table,
        rows: (to.rows[table]! - from.rows[table]!) / positions,
        bytes: (to.bytes[table]! - from.bytes[table]!) / positions,
      }))
      const bytes = tables.reduce((sum, each) => sum + each.bytes, 0)
      ratios.push(BUDGET / Math.max(bytes, 1))
      const each = tables.map(({ table, rows, bytes }) => `${table} ${rows} of ${Math.round(bytes / rows)} bytes`)
      console.error(
        `  day ${day}, a position: ${each.join(', ')}; together ${Math.round(bytes)} bytes with indexes; ` +
          `write-ahead log ${Math.round((to.log - from.log) / positions)} bytes; ` +
          `${statements.toLocaleString('en')} statements for all`,
      )
    }
    return [summary(`A day of ${positions.toLocaleString('en')} quiet positions`, `${BUDGET} bytes a position`, ratios)]
  } finally {
    await database.close()
  }
}

interface Sizes {
  readonly rows: Readonly<Record<string, number>>
  /** With indexes and partitions; the tree of a table without any is empty. */
  readonly bytes: Readonly<Record<string, number>>
  /** Of the write-ahead log, since the server exists. */
  readonly log: number
}

async function sizeOf({ parts: { db } }: BenchDatabase): Promise<Sizes> {
  const rows: Record<string, number> = {}
  const bytes: Record<string, number> = {}
  for (const table of GROWING) {
    const { rows: found } = await sql<{ count: number; bytes: number }>`
      select (select count(*) from ${sql.table(table)}) as count,
        (select sum(pg_total_relation_size(relid)) from (
          select to_regclass(${table}) as relid union select relid from pg_partition_tree(to_regclass(${table}))
        ) of_table)::bigint as bytes
    `.execute(db)
    rows[table] = found[0]!.count
    bytes[table] = found[0]!.bytes
    if (bytes[table] === 0) throw new Error(`the size of ${table} was not found`)
  }
  const { rows: log } = await sql<{ bytes: number }>`
    select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::bigint as bytes
  `.execute(db)
  return { rows, bytes, log: log[0]!.bytes }
}
