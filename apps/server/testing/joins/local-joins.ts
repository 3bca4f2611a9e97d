import { parseSync } from 'libpg-query'
import type { JoinCatalog } from './join-catalog.ts'

/**
 * The pairs of a distributed table and one that is kept on one node, which one statement names: over several nodes, it
 * cannot run on those of the organization alone. A table behind the name of a `with` query is not mentioned by it.
 */
export function localJoins(text: string, catalog: JoinCatalog): string[] {
  const pairs = (parseSync(text).stmts ?? []).flatMap(({ stmt }) => {
    const names = new Set<string>()
    const queries = new Set<string>()
    collect(stmt, names, queries)
    const tables = [...names].filter((name) => !queries.has(name) && name in catalog)
    const distributed = tables.filter((name) => catalog[name]?.distributedBy !== undefined)
    const local = tables.filter((name) => catalog[name]?.isLocal)
    return distributed.flatMap((table) => local.map((other) => `${table} and ${other}`))
  })
  return [...new Set(pairs)].sort()
}

/** Every table and every `with` query that a part of a statement names. */
function collect(part: unknown, names: Set<string>, queries: Set<string>): void {
  if (typeof part !== 'object' || part === null) return
  const { relname, ctename } = part as { relname?: unknown; ctename?: unknown }
  if (typeof relname === 'string') names.add(relname)
  if (typeof ctename === 'string') queries.add(ctename)
  for (const inner of Object.values(part)) collect(inner, names, queries)
}
