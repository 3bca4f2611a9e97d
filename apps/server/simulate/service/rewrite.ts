import { CompiledQuery } from 'kysely'

/** Changes a statement on its way to the database. */
export interface Rewrite {
  (query: CompiledQuery): CompiledQuery
  /** The replacements that it consists of. */
  readonly replacements?: readonly Replacement[]
}

/** A text to replace in statements, and the number of statements replaced so far in all runs of this process. */
export interface Replacement {
  readonly text: string
  readonly count: number
}

/**
 * Replaces a text in every statement that has it. Statements change over time, and a replacement that matches none
 * sabotages nothing; so a run without a match fails.
 */
export function replaced(text: string | RegExp, other: string): Rewrite {
  const replacement = { text: String(text), count: 0 }
  const rewrite = (query: CompiledQuery): CompiledQuery => {
    const sql = query.sql.replace(text, other)
    if (sql === query.sql) return query
    replacement.count += 1
    return CompiledQuery.raw(sql, [...query.parameters])
  }
  return Object.assign(rewrite, { replacements: [replacement] })
}

/** Changes statements that contain a text. */
export function changed(text: string, change: (query: CompiledQuery) => CompiledQuery): Rewrite {
  const replacement = { text, count: 0 }
  const rewrite = (query: CompiledQuery): CompiledQuery => {
    if (!query.sql.includes(text)) return query
    replacement.count += 1
    return change(query)
  }
  return Object.assign(rewrite, { replacements: [replacement] })
}

/** A statement that writes and returns nothing. */
export const NOTHING = CompiledQuery.raw('select 0 as id where false')

/** Leaves out events of this name. */
export const withoutEvent = (event: string): Rewrite =>
  changed('insert into outbox', (query) => (query.parameters.includes(event) ? NOTHING : query))

/** Applies the rewrites in order to statements that contain one of the words. */
export function inStatementsWith(words: readonly string[], ...rewrites: readonly Rewrite[]): Rewrite {
  const rewrite = (query: CompiledQuery): CompiledQuery =>
    words.some((word) => query.sql.includes(word)) ? rewrites.reduce((result, next) => next(result), query) : query
  return Object.assign(rewrite, { replacements: rewrites.flatMap(({ replacements = [] }) => replacements) })
}

/** Starts watching replacements. The returned function lists those that have matched no statement since. */
export function watchReplacements(rewrites: readonly (Rewrite | undefined)[]): () => string[] {
  const before = rewrites.flatMap((rewrite) =>
    (rewrite?.replacements ?? []).map((replacement) => ({ replacement, count: replacement.count })),
  )
  return () => before.flatMap(({ replacement, count }) => (replacement.count === count ? [replacement.text] : []))
}
