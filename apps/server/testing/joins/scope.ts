import type { Node } from 'libpg-query'

/**
 * Two terms with the same value in each row: `'3.organization_id'` for a column, `'$1'`, `"'text'"`. `partly`: it leaves
 * out no row of one of them, as in a part of a union, or in the condition of an outer join.
 */
export type Tie = readonly [string, string] | readonly [string, string, 'partly']

/**
 * The column has one of these values in each row: `'$1[]'` is an element of that parameter, `'$1.id[]'` that field of an
 * element.
 */
export interface Limit {
  readonly column: string
  readonly oneOf: readonly string[]
}

/** The term of a value that is computed. */
export const COMPUTED = 'computed'

/** The term of a parameter without a value: no row has that organization, so none is joined. */
export const NO_VALUE = 'null'

/** A part of a statement that has columns: a table, a query in its place, a function. */
export interface Source {
  readonly id: number
  readonly alias: string
  /** `undefined`: not known, as for most functions. */
  readonly columns: readonly string[] | undefined
}

/** A mention of a distributed table. */
export interface Mention {
  readonly table: string
  /** The term of the column that its rows are distributed by. */
  readonly organization: string
}

export interface Output {
  readonly name: string
  /** What it is equal to in each row. */
  readonly terms: readonly string[]
  /** What it is equal to in some rows each: the parts of a union, the rows of a list. Then `terms` hold partly. */
  readonly oneOf?: readonly string[]
}

/** What a query gives to the one that contains it. */
export interface QueryPart {
  readonly outputs: readonly Output[]
  readonly ties: readonly Tie[]
  readonly limits: readonly Limit[]
  readonly mentions: readonly Mention[]
}

/** A query under a name, read once for each mention: the rows of two mentions differ. */
export type NamedQuery = () => QueryPart

/** One level of a statement: what its names mean, and what is equal in each of its rows. */
export class Scope {
  readonly parent: Scope | undefined
  readonly sources: Source[] = []
  readonly ties: Tie[] = []
  readonly limits: Limit[] = []
  /** The distributed tables of each source. */
  readonly mentions: (readonly Mention[])[] = []
  readonly named = new Map<string, NamedQuery>()
  /** The queries that have a row wherever this level has one. */
  readonly held = new Set<Node>()
  /** It mentions a column of a level around it. */
  reachesOut = false

  constructor(parent?: Scope) {
    this.parent = parent
  }

  find(name: string): NamedQuery | undefined {
    return this.named.get(name) ?? this.parent?.find(name)
  }

  /** The term of a column, of this level or of one around it. */
  column(name: string, alias?: string): string | undefined {
    const source =
      alias === undefined
        ? (this.sources.find(({ columns }) => columns?.includes(name)) ??
          this.sources.find(({ columns }) => columns === undefined))
        : this.sources.find((each) => each.alias === alias)
    if (source !== undefined) return `${source.id}.${name}`
    const outer = this.parent?.column(name, alias)
    if (outer !== undefined) this.reachesOut = true
    return outer
  }

  /** Whether the term is a column of this level or of one around it. */
  knows(term: string): boolean {
    return this.sources.some(({ id }) => term.startsWith(`${id}.`)) || (this.parent?.knows(term) ?? false)
  }

  /** The distributed tables of the nearest level that has some. */
  nearest(): readonly Mention[] {
    const own = this.mentions.flat()
    return own.length > 0 ? own : (this.parent?.nearest() ?? [])
  }

  /** What is equal in a row of this level and in those around it. */
  allTies(): readonly Tie[] {
    return [...this.ties, ...(this.parent?.allTies() ?? [])]
  }

  allLimits(): readonly Limit[] {
    return [...this.limits, ...(this.parent?.allLimits() ?? [])]
  }

  /** Says what a column of this level is equal to, when a query gives it. */
  equate(column: string, { terms, oneOf }: Output): void {
    this.ties.push(...terms.map((term) => (oneOf ? ([column, term, 'partly'] as const) : ([column, term] as const))))
    if (oneOf) this.limits.push({ column, oneOf })
  }
}

/** What ties say of each of their columns. */
export function limitsFrom(ties: readonly Tie[]): Limit[] {
  return ties.flatMap(([one, other, partly]) =>
    partly
      ? []
      : [
          { column: one, oneOf: [other] },
          { column: other, oneOf: [one] },
        ],
  )
}

/** Whether the terms are equal by a chain of ties. */
export function areTied(ties: readonly Tie[], one: string, other: string): boolean {
  const reached = new Set([one])
  for (let size = 0; size < reached.size; ) {
    size = reached.size
    for (const [left, right] of ties) {
      if (reached.has(left)) reached.add(right)
      if (reached.has(right)) reached.add(left)
    }
  }
  return reached.has(other)
}
