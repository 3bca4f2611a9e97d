import { TABLE_PLACEMENT } from '../../src/database/catalog/distribution.ts'
import type { DatabaseColumn } from '../../src/database/queries/read-columns.ts'

/** A table as the joins of a statement see it. */
export interface JoinedTable {
  readonly columns: readonly string[]
  /** The column that its rows are distributed by; without one, the table is on one node, or a copy of it on each. */
  readonly distributedBy?: string
  /** It is kept on one node. */
  readonly isLocal?: boolean
}

/** By the name of the table. */
export type JoinCatalog = Readonly<Record<string, JoinedTable>>

/** Says by which column each table can be distributed; database/catalog/distribution.ts has the exceptions. */
export function joinCatalog(columns: readonly DatabaseColumn[]): JoinCatalog {
  const tables = Map.groupBy(columns, ({ table }) => table)
  return Object.fromEntries(
    [...tables].map(([table, own]) => {
      const names = own.map(({ name }) => name)
      const placed = TABLE_PLACEMENT[table as keyof typeof TABLE_PLACEMENT]?.place
      const isTenants = own.some(({ name, isNullable }) => name === 'organization_id' && !isNullable)
      if (placed === 'tenant') return [table, { columns: names, distributedBy: 'id' }]
      if (placed === 'local') return [table, { columns: names, isLocal: true }]
      if (placed !== undefined || !isTenants) return [table, { columns: names }]
      return [table, { columns: names, distributedBy: 'organization_id' }]
    }),
  )
}

/** Where a statement may name a distributed table that it reads or writes. */
export function placesOf(catalog: JoinCatalog): RegExp {
  return placesOfTables(Object.keys(catalog).filter((table) => catalog[table]?.distributedBy !== undefined))
}

/** Where it may name one that is kept on one node. */
export function localPlacesOf(catalog: JoinCatalog): RegExp {
  return placesOfTables(Object.keys(catalog).filter((table) => catalog[table]?.isLocal))
}

function placesOfTables(names: readonly string[]): RegExp {
  return new RegExp(`(?:\\b(?:from|join|update|into|using|only)\\s+|[,(]\\s*)"?(?:${names.join('|')})\\b(?!")?`, 'gi')
}
