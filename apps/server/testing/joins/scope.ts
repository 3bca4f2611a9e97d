/** Two terms with the same value in each row: `'3.organization_id'` for a column, `'$1'`, `"'text'"`. */
export type Tie = readonly [string, string]

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

/** What a query gives to the one that contains it. */
export interface QueryPart {
  readonly outputs: readonly { readonly name: string; readonly terms: readonly string[] }[]
  readonly ties: readonly Tie[]
  readonly mentions: readonly Mention[]
}

/** A query under a name, read once for each mention: the rows of two mentions differ. */
export type NamedQuery = () => QueryPart

/** One level of a statement: what its names mean, and what is equal in each of its rows. */
export class Scope {
  readonly parent: Scope | undefined
  readonly sources: Source[] = []
  readonly ties: Tie[] = []
  /** The distributed tables of each source. */
  readonly mentions: (readonly Mention[])[] = []
  readonly named = new Map<string, NamedQuery>()
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

  /** The distributed tables of the nearest level that has some. */
  nearest(): readonly Mention[] {
    const own = this.mentions.flat()
    return own.length > 0 ? own : (this.parent?.nearest() ?? [])
  }

  /** What is equal in a row of this level and in those around it. */
  allTies(): readonly Tie[] {
    return [...this.ties, ...(this.parent?.allTies() ?? [])]
  }
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
