import { type RawBuilder, sql } from 'kysely'
import { type Database, inTransaction } from '../database/index.ts'
import { SEALED_WALK_ROWS } from '../kernel/index.ts'
import { hasSealedValue, type SealedColumn, sealingKeyIdSql } from './sealed-column.ts'

/** A row with a sealed value: its primary key, and the id of the key that sealed it. */
export type SealedPlace = Readonly<Record<string, unknown>> & { readonly sealed_by: string }

/** A condition on the id of the key that sealed a value, in SQL. */
export type SealedByCondition = (id: RawBuilder<unknown>) => RawBuilder<boolean>

/**
 * Walks a whole column in the order of the primary key, and yields where its sealed values are, in one list for each
 * statement; `isWanted` leaves values out. No index has the id of the key: one statement over a large table would reach
 * its time-out. So each reads a bounded number of rows, with a value or without one; without one only where no index has
 * the rows with a value.
 */
export async function* walkSealedValues(
  db: Database,
  { table, column, key, isIndexed }: Pick<SealedColumn, 'table' | 'column' | 'key' | 'isIndexed'>,
  isWanted: SealedByCondition = () => sql`true`,
): AsyncGenerator<readonly SealedPlace[]> {
  const [columns, backwards] = [sql.join(key.map(ref)), sql.join(key.map((name) => sql`${ref(name)} desc`))]
  const isInIndex = isIndexed ? sql`${ref(column)} is not null` : sql`true`
  let after: Readonly<Record<string, unknown>> | undefined
  do {
    const isLater = after ? sql`(${columns}) > (${sql.join(key.map((name) => sql`${after![name]}`))})` : sql`true`
    const page = sql<Record<string, unknown> & { sealed_by: string | null }>`
      with page as (
        select ${columns}, case when ${hasSealedValue(column)} then ${sealingKeyIdSql(column)} end as sealed_by
        from ${sql.table(table)} where ${isInIndex} and ${isLater} order by ${columns} limit ${SEALED_WALK_ROWS}
      )
      select * from page where sealed_by is not null and ${isWanted(ref('sealed_by'))}
      union all (select ${columns}, null from page order by ${backwards} limit 1)
    `
    const { rows } = await inTransaction(db, async (tx) => {
      await inOrderOfIndex.execute(tx)
      return await page.execute(tx)
    })
    after = rows.find(({ sealed_by }) => sealed_by === null)
    if (after !== undefined) yield rows.filter((row): row is SealedPlace => row.sealed_by !== null)
  } while (after !== undefined)
}

/** Rows come from an index in the order of the primary key: to sort them, PostgreSQL would read the whole table for each page. */
const inOrderOfIndex = sql`select set_config('enable_sort', 'off', true), set_config('enable_incremental_sort', 'off', true)`

const ref = (name: string) => sql.ref(name)
