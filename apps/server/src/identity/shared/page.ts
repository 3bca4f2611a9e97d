import { type Expression, sql } from 'kysely'
import type { Database } from '../../database/index.ts'

/** A page of a list; `limit: null` means all of it. */
export interface PageRequest {
  readonly limit: number | null
  readonly offset: number
}

/** A page of a list with the total of the whole list. */
export interface Page<Item> {
  readonly items: readonly Item[]
  readonly total: number
}

export const ALL_ITEMS: PageRequest = { limit: null, offset: 0 }

/** Reads a page of `list` by id, newest first, in one statement; a second one only when the offset is past the end. */
export async function readPage<Row extends { id: number }, Item>(
  db: Database,
  list: Expression<Row>,
  { limit, offset }: PageRequest,
  itemOf: (row: Row) => Item,
): Promise<Page<Item>> {
  const { rows } = await sql<Row & { total: number }>`
    select entry.*, count(*) over () as total from (${list}) entry
    order by entry.id desc limit ${limit} offset ${offset}
  `.execute(db)
  const first = rows[0]
  if (first !== undefined) return { items: rows.map(itemOf), total: first.total }
  return { items: [], total: offset === 0 ? 0 : await countItems(db, list) }
}

async function countItems(db: Database, list: Expression<unknown>): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*) as total from (${list}) entry`.execute(db)
  return rows[0]?.total ?? 0
}
