import { CompiledQuery } from 'kysely'

/** What a sabotage may do to a statement on its way to the database. */
export interface Rewrite {
  (query: CompiledQuery): CompiledQuery
  /** The replacements that it is made of. */
  readonly replacements?: readonly Replacement[]
}

/** A text that is replaced in statements, and how many it was replaced in so far, in all runs of this process. */
export interface Replacement {
  readonly text: string
  readonly count: number
}

/**
 * Another text in a statement, wherever it has the first one. Statements change, and a text that none of them has
 * breaks nothing: a run in which it matched nothing fails.
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

/** Changes statements that have a text. */
export function changed(text: string, change: (query: CompiledQuery) => CompiledQuery): Rewrite {
  const replacement = { text, count: 0 }
  const rewrite = (query: CompiledQuery): CompiledQuery => {
    if (!query.sql.includes(text)) return query
    replacement.count += 1
    return change(query)
  }
  return Object.assign(rewrite, { replacements: [replacement] })
}

/** These one after the other, in statements that have one of the words. */
export function inStatementsWith(words: readonly string[], ...rewrites: readonly Rewrite[]): Rewrite {
  const rewrite = (query: CompiledQuery): CompiledQuery =>
    words.some((word) => query.sql.includes(word)) ? rewrites.reduce((result, next) => next(result), query) : query
  return Object.assign(rewrite, { replacements: rewrites.flatMap(({ replacements = [] }) => replacements) })
}

/** Begins to watch replacements; the returned function lists those that have matched no statement since. */
export function watchReplacements(rewrites: readonly (Rewrite | undefined)[]): () => string[] {
  const before = rewrites.flatMap((rewrite) =>
    (rewrite?.replacements ?? []).map((replacement) => ({ replacement, count: replacement.count })),
  )
  return () => before.flatMap(({ replacement, count }) => (replacement.count === count ? [replacement.text] : []))
}
