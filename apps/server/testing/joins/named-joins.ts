/** Pairs of tables that certain statements may join, and why. */
export interface NamedJoin {
  /** Each pair of tables, as the reader of joins names it. */
  readonly pairs: readonly string[]
  /** How the statement begins, with one space for each stretch of them. */
  readonly beginsWith: string
  readonly why: string
}

export function isNamedIn(joins: readonly NamedJoin[], pair: string, text: string): boolean {
  const compact = text.trim().replace(/\s+/g, ' ')
  return joins.some(({ pairs, beginsWith }) => compact.startsWith(beginsWith) && pairs.includes(pair))
}
