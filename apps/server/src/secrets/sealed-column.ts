import { type RawBuilder, sql } from 'kysely'
import type { Schema } from '../database/index.ts'

/** A column of sealed values. Each room that seals names its own, so that a rotation reaches every value. */
export interface SealedColumn {
  readonly table: keyof Schema & string
  readonly column: string
  /** The columns of the primary key, in its order. */
  readonly key: readonly string[]
  /** An index in the order of the primary key has exactly the rows where the column is not null: a walk reads only those. */
  readonly isIndexed?: true
  /** Further columns that the label needs. */
  readonly reads?: readonly string[]
  /** The sealing purpose. */
  readonly purpose: string
  /** The label of a row's value, from its key and the columns that it reads. */
  readonly label: (row: Readonly<Record<string, unknown>>) => string
}

/** The id of the key that sealed a value, in SQL: as `sealingKeyId` reads it. Reads the beginning of a long value only. */
export function sealingKeyIdSql(column: string): RawBuilder<string> {
  const value = sql.ref(column)
  return sql<string>`case when substring(${value} from 1 for 3) = '\\x575201'::bytea
    then convert_from(substring(${value} from 5 for get_byte(substring(${value} from 4 for 1), 0)), 'LATIN1') else '0' end`
}

/** Rows with a value: a destroyed secret is empty. No sealed value is shorter. */
export function hasSealedValue(column: string): RawBuilder<boolean> {
  return sql<boolean>`length(${sql.ref(column)}) >= 28`
}
