import { sql } from 'kysely'
import { makePartitions } from '../src/database/index.ts'
import { PARTITIONED_TABLES } from '../src/database/migrating/make-partitions.ts'
import type { BenchDatabase } from './bench-environment.ts'

/**
 * A partition for each month since `days` ago, as the service's worker made them meanwhile. A database that was migrated
 * today has one for everything up to the next month. The tables must be empty.
 */
export async function partitionPastMonths({ parts }: BenchDatabase, days: number): Promise<void> {
  await parts.db.transaction().execute(async (tx) => {
    for (const { table } of PARTITIONED_TABLES) {
      const { rows } = await sql<{ name: string; next: string }>`
        select c.relname as name,
          (date_trunc('month', now() at time zone 'UTC' - ${days}::int * interval '1 day') + interval '1 month')::date::text as next
        from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = to_regclass(${table}) and pg_get_expr(c.relpartbound, c.oid) <> 'DEFAULT'
      `.execute(tx)
      for (const { name } of rows) await sql`drop table ${sql.table(name)}`.execute(tx)
      const { next } = rows[0]!
      await sql`
        create table ${sql.table(`${table}_before_${next.slice(0, 7).replace('-', '_')}`)} partition of ${sql.table(table)}
        for values from (minvalue) to (${sql.lit(next)})
      `.execute(tx)
    }
  })
  await makePartitions(parts)
}
