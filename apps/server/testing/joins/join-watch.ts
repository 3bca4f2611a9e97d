import { loadModule } from 'libpg-query'
import { type JoinCatalog, localPlacesOf, placesOf } from './join-catalog.ts'
import { localJoins } from './local-joins.ts'
import { isNamedLocal } from './named-local-joins.ts'
import { isNamed } from './named-untied-joins.ts'
import { NO_VALUE, type Tie } from './scope.ts'
import { untiedJoins } from './untied-joins.ts'

export interface JoinWatch {
  /** Takes a statement as it is sent, and costs it nothing but a look at its text. */
  note(text: string, values: readonly unknown[]): void
  /** Takes a statement as it enters a pool, which sends it without the stack of its sender. */
  notePooled(text: string): void
  /**
   * Fails on a statement taken since the last call that joins distributed tables without their organization, or with a
   * table of one node.
   */
  expectTied(): Promise<void>
}

/** Watches the joins of statements, except those that are free when they are sent. Each text is parsed once. */
export function createJoinWatch(catalog: JoinCatalog, isFree: () => boolean = () => false): JoinWatch {
  const places = placesOf(catalog)
  const localPlaces = localPlacesOf(catalog)
  const joining = new Map<string, boolean>()
  const tied = new Set<string>()
  const withoutLocal = new Set<string>()
  const free = new Set<string>()
  let taken = new Map<string, Map<string, readonly Tie[]>>()

  const namesSeveral = (text: string) => {
    const distributed = text.match(places)?.length ?? 0
    return distributed > 1 || (distributed > 0 && text.search(localPlaces) >= 0)
  }
  const isJoining = (text: string) => {
    const known = joining.get(text) ?? namesSeveral(text)
    joining.set(text, known)
    return known
  }

  return {
    notePooled(text) {
      if (!tied.has(text) && isJoining(text) && isFree()) free.add(text)
    },
    note(text, values) {
      if (tied.has(text) || free.has(text) || !isJoining(text)) return
      const equal = equalParameters(values)
      const forms = taken.get(text) ?? new Map<string, readonly Tie[]>()
      if (forms.has(equal.join()) || isFree()) return
      taken.set(text, forms.set(equal.join(), equal))
    },
    async expectTied() {
      if (taken.size === 0) return
      const noted = taken
      taken = new Map()
      await loadModule()
      for (const [text, forms] of noted) {
        if (!withoutLocal.has(text)) {
          const local = localJoins(text, catalog).filter((pair) => !isNamedLocal(pair, text))
          if (local.length > 0) throw new Error(`joined with a table of one node: ${local}\n${text}`)
          withoutLocal.add(text)
        }
        if (untiedJoins(text, catalog).length === 0) {
          tied.add(text)
          continue
        }
        for (const equal of forms.values()) {
          const untied = untiedJoins(text, catalog, equal).filter((pair) => !isNamed(pair, text))
          if (untied.length > 0) throw new Error(`joined without an equality of organization_id: ${untied}\n${text}`)
        }
      }
    },
  }
}

/** The query builder sends a value once for each place that mentions it, an id as a number or as its text. */
function equalParameters(values: readonly unknown[]): Tie[] {
  const first = new Map<string, number>()
  return values.flatMap((value, at): Tie[] => {
    if (value === null || value === undefined) return [[`$${at + 1}`, NO_VALUE]]
    if (!['number', 'bigint', 'string'].includes(typeof value)) return []
    const earlier = first.get(String(value))
    if (earlier === undefined) first.set(String(value), at)
    return earlier === undefined ? [] : [[`$${earlier + 1}`, `$${at + 1}`]]
  })
}
