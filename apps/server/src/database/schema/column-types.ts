import type { ColumnType } from 'kysely'

export type Now = Date
/** JSON is written as text and read parsed. */
export type JsonColumn<T> = ColumnType<T, string, string>
export type JsonOrNull<T> = ColumnType<T | null, string | null | undefined, string | null>
/** A column that an insert may omit. */
export type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>
export type WithDefault<T> = ColumnType<T, T | undefined, T>
