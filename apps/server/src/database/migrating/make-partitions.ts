import { sql } from 'kysely'
import {
  type Clock,
  type Log,
  outageLogsBy,
  PARTITION_LOCK_TIMEOUT_MS,
  PARTITION_MONTHS_AHEAD,
} from '../../kernel/index.ts'
import type { Database, Tx } from '../handles.ts'
import { columnsLike, defaultOf, lockReferenced } from '../partition-table.ts'
import { inTransaction } from '../queries/in-transaction.ts'
import { sqlStateOf } from '../queries/sql-state.ts'
import { runItems } from '../upkeep/run-items.ts'

/** A table with a partition a month, by a date. */
interface PartitionedTable {
  readonly table: string
  readonly column: string
}

/** The tables that a migration partitioned, with the dates that say in which month a row is. */
export const PARTITIONED_TABLES: readonly PartitionedTable[] = [{ table: 'yield_snapshots', column: 'day' }]

const postponedOf = outageLogsBy({
  away: 'a partition is postponed: its table is locked',
  back: 'partitions are no longer postponed',
})

/**
 * Makes the partitions of this month and the next ones, and of every month whose rows are in the default partition,
 * because a chain was ahead of the clock or nothing ran for months; those rows move along. Months follow each other
 * without a gap, so a read never asks the default partition for days before the last one.
 *
 * Repeating it changes nothing, and two may run at once. It waits shortly for its locks: a partition that is not made
 * now is made later, and until then the default partition takes its rows.
 */
export async function makePartitions(
  parts: { readonly db: Database; readonly clock: Clock; readonly log: Log },
  signal?: AbortSignal,
): Promise<void> {
  await runItems(parts, PARTITIONED_TABLES, {
    job: 'make partitions',
    keyOf: ({ table }) => table,
    async work(one) {
      const upTo = addMonths(monthOf(parts.clock.now()), PARTITION_MONTHS_AHEAD)
      const postponed = postponedOf(parts.log, parts.log)
      const made = { table: one.table, partitions: 0, rows: 0 }
      while (!signal?.aborted && (await isMissing(parts.db, one, upTo))) {
        const rows = await inTransaction(parts.db, (tx) => makeNext(tx, one, upTo)).catch(unlessLocked)
        if (rows === 'locked') {
          postponed.failed({ table: one.table })
          break
        }
        postponed.recovered({ table: one.table })
        if (rows === undefined) continue
        made.partitions += 1
        made.rows += rows
      }
      if (made.rows > 0) parts.log.warn(made, 'created partitions late and moved rows into them')
      else if (made.partitions > 0) parts.log.info(made, 'created partitions')
    },
  })
}

function unlessLocked(error: unknown): 'locked' {
  if (sqlStateOf(error) === '55P03') return 'locked'
  throw error
}

async function isMissing(db: Database | Tx, one: PartitionedTable, upTo: string): Promise<boolean> {
  return (await endOf(db, one)) <= (await lastMonth(db, one, upTo))
}

/** The first day after the last partition's. */
async function endOf(db: Database | Tx, { table }: PartitionedTable): Promise<string> {
  const { rows } = await sql<{ end: string }>`
    select max(substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \\(''(.+)''\\)')::date) as end
    from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = to_regclass(${table})
  `.execute(db)
  return rows[0]!.end
}

async function lastMonth(db: Database | Tx, { table, column }: PartitionedTable, upTo: string): Promise<string> {
  const { rows } = await sql<{ month: string }>`
    select greatest(${upTo}::date, date_trunc('month', max(${sql.ref(column)}))::date) as month
    from ${sql.table(defaultOf(table))}
  `.execute(db)
  return rows[0]!.month
}

/** Makes the next month's partition, and returns how many rows it got; undefined: another process made it meanwhile. */
async function makeNext(tx: Tx, one: PartitionedTable, upTo: string): Promise<number | undefined> {
  const { table, column } = one
  const run = (text: string) => sql.raw(text).execute(tx)
  await run(`set local lock_timeout = ${PARTITION_LOCK_TIMEOUT_MS}`)
  await lockReferenced(tx, table)
  await run(`lock table only ${table} in share update exclusive mode`)
  await run(`lock table ${defaultOf(table)} in access exclusive mode`)
  if (!(await isMissing(tx, one, upTo))) return undefined
  const from = await endOf(tx, one)
  const to = addMonths(from, 1)
  const name = `${table}_${from.slice(0, -3).replace('-', '_')}`
  // Created on its own and attached, because creating it as a partition would lock out readers of all months.
  await run(`create table ${name} (${columnsLike(table)})`)
  const { numAffectedRows = 0n } = await run(`
    with moved as (delete from ${defaultOf(table)} where ${column} < '${to}' returning *)
    insert into ${name} select * from moved
  `)
  await run(`alter table ${table} attach partition ${name} for values from ('${from}') to ('${to}')`)
  return Number(numAffectedRows)
}

const monthOf = (time: Date): string => `${time.toISOString().slice(0, 7)}-01`

/** Both are first days of months: `2026-12-01`. */
function addMonths(month: string, months: number): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return monthOf(new Date(Date.UTC(year, number - 1 + months)))
}
