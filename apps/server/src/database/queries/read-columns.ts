import { sql } from 'kysely'
import type { Database } from '../handles.ts'

/** A column as PostgreSQL has it. */
export interface DatabaseColumn {
  readonly table: string
  readonly name: string
  /** As in `create table`: `numeric(78,0)`. */
  readonly type: string
  /** The name of the type alone, `_` before that of an array's elements. */
  readonly typeName: string
  readonly isNullable: boolean
  /** The database fills it when an insert leaves it out: a default or an identity, not a trigger. */
  readonly hasDefault: boolean
}

/** Every column of the service's own tables, by table, in the order of its columns; a partition is part of its table. */
export async function readColumns(db: Database): Promise<DatabaseColumn[]> {
  const { rows } = await sql<DatabaseColumn>`
    select c.relname as "table", a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
      t.typname as "typeName", not a.attnotnull as "isNullable", a.atthasdef or a.attidentity <> '' as "hasDefault"
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid
    join pg_namespace n on n.oid = c.relnamespace
    join pg_type t on t.oid = a.atttypid
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0 and not a.attisdropped
      and c.relname not like 'kysely%'
    order by c.relname, a.attnum
  `.execute(db)
  return rows
}
