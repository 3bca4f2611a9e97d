import { loadModule } from 'libpg-query'
import { type JoinCatalog, placesOf } from '../joins/join-catalog.ts'
import type { Reading } from '../joins/read-statement.ts'
import { isNamed } from './named-unbound.ts'
import type { Requester } from './request-in-context.ts'
import { readingsOf, unboundTables } from './unbound-tables.ts'

export interface OrganizationWatch {
  /** Takes a statement where it is sent, in the context of its sender. */
  note(text: string, values: readonly unknown[]): void
  /** Fails on a statement taken since the last call that a request sent for more than its organization. */
  expectBound(): Promise<void>
}

/** Watches the statements of requests. Each text is parsed once, and judged once for each set of values that are the organization's. */
export function createOrganizationWatch(
  catalog: JoinCatalog,
  requester: () => Requester | undefined,
): OrganizationWatch {
  const places = placesOf(catalog)
  const concerned = new Map<string, boolean>()
  const read = new Map<string, readonly Reading[]>()
  const bound = new Set<string>()
  let taken = new Map<string, { readonly text: string; readonly own: readonly string[]; readonly by: Requester }>()

  const isConcerned = (text: string) => {
    const known = concerned.get(text) ?? text.search(places) >= 0
    concerned.set(text, known)
    return known
  }

  const readings = (text: string) => {
    const known = read.get(text) ?? readingsOf(text, catalog)
    read.set(text, known)
    return known
  }

  return {
    note(text, values) {
      const by = requester()
      if (by === undefined || !isConcerned(text)) return
      const own = ownTerms(text, values, by.organizationId)
      const key = `${own} ${text}`
      if (!bound.has(key)) taken.set(key, { text, own, by })
    },
    async expectBound() {
      if (taken.size === 0) return
      const noted = taken
      taken = new Map()
      await loadModule()
      for (const [key, { text, own, by }] of noted) {
        const { organizationId, route } = by
        const tables = unboundTables(readings(text), own).filter((table) => !isNamed(table, text))
        if (tables.length > 0) {
          const found = own.length === 0 ? 'no value is its own' : `only these values are its own: ${own}`
          throw new Error(
            `a request of organization ${organizationId}, ${route}, is not limited to it: ${tables}; ${found}\n${text}`,
          )
        }
        bound.add(key)
      }
    },
  }
}

/** The parameters that have the organization's id, or no value: no row has that organization. */
function ownTerms(text: string, values: readonly unknown[], organizationId: number): string[] {
  const isOwn = (value: unknown) =>
    value === null || value === undefined || (typeof value !== 'object' && String(value) === String(organizationId))
  const isRows = text.includes('_to_recordset(')
  return values.flatMap((value, at) => {
    const place = `$${at + 1}`
    if (Array.isArray(value)) return value.every(isOwn) ? [`${place}[]`] : []
    const rows = isRows ? rowsOf(value) : undefined
    if (rows) return rows.every(({ organization_id: id }) => isOwn(id)) ? [`${place}.organization_id[]`] : []
    return isOwn(value) ? [place] : []
  })
}

/** The objects of a JSON text; `undefined`: it is another value. */
function rowsOf(value: unknown): readonly Record<string, unknown>[] | undefined {
  if (typeof value !== 'string' || !/^\[[{\]]/.test(value)) return undefined
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}
