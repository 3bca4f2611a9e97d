import { type RawBuilder, sql } from 'kysely'

/**
 * A pattern of LIKE for what begins with a text, to compare with `lower(column)`. The database lowers the text too: its
 * rules are those of the indexes.
 */
export function beginningWith(text: string): RawBuilder<string> {
  return sql`lower(${escaped(text)}) || '%'`
}

/** The same for what contains it. No index helps: for tables that a quota keeps small. */
export function containing(text: string): RawBuilder<string> {
  return sql`'%' || lower(${escaped(text)}) || '%'`
}

/** `%` and `_` of a text stand for themselves. */
const escaped = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&')
