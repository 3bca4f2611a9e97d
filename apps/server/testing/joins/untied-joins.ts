import { parseSync } from 'libpg-query'
import type { JoinCatalog } from './join-catalog.ts'
import { StatementReader } from './read-statement.ts'
import type { Tie } from './scope.ts'

/**
 * The pairs of distributed tables that a statement joins without an equality of the organization. `equal`: places of
 * parameters that have the same value.
 */
export function untiedJoins(text: string, catalog: JoinCatalog, equal: readonly Tie[] = []): string[] {
  const reader = new StatementReader(catalog)
  for (const { stmt } of parseSync(text).stmts ?? []) if (stmt) reader.read(stmt)
  return [...new Set(reader.checks.flatMap((check) => check(equal)))]
}
