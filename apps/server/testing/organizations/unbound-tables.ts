import { parseSync } from 'libpg-query'
import type { JoinCatalog } from '../joins/join-catalog.ts'
import { type Reading, StatementReader } from '../joins/read-statement.ts'

/** Says which tables of organizations a statement reads or writes, and what limits their rows. */
export function readingsOf(text: string, catalog: JoinCatalog): Reading[] {
  const reader = new StatementReader(catalog)
  for (const { stmt } of parseSync(text).stmts ?? []) if (stmt) reader.readStatement(stmt)
  return reader.readings.map((reading) => reading())
}

/**
 * The tables that a statement reads or writes in rows of any organization. `own`: the terms that have the value of the
 * one organization, such as `$1`, or `$1[]` for a list of nothing else.
 */
export function unboundTables(readings: readonly Reading[], own: readonly string[]): string[] {
  return [...new Set(readings.flatMap((reading) => unboundOf(reading, own)))]
}

function unboundOf({ mentions, ties, limits }: Reading, own: readonly string[]): string[] {
  const bound = new Set(own)
  // Only a column takes a value from what it is compared with: what a parameter equals in one row says nothing of others.
  const bind = (term: string, values: readonly string[]) => {
    if (/^\d+\./.test(term) && values.every((value) => bound.has(value))) bound.add(term)
  }
  for (let size = -1; size < bound.size; ) {
    size = bound.size
    for (const [left, right, partly] of ties) {
      if (partly) continue
      bind(left, [right])
      bind(right, [left])
    }
    for (const { column, oneOf } of limits) bind(column, oneOf)
  }
  return mentions.filter(({ organization }) => !bound.has(organization)).map(({ table }) => table)
}
