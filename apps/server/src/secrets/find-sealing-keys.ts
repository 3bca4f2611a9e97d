import type { Database } from '../database/index.ts'
import { type Clock, KEY_SEARCH_MAX_MS } from '../kernel/index.ts'
import type { SealedColumn } from './sealed-column.ts'
import { type SealedByCondition, walkSealedValues } from './walk-sealed-values.ts'

/**
 * Ids of wanted keys under which values are sealed: those of the first such values, or none. `undefined` if the time was
 * up first: a start must not wait until every stored event has been read.
 */
export async function findSealingKeys(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  columns: readonly SealedColumn[],
  isWanted: SealedByCondition,
): Promise<readonly string[] | undefined> {
  const until = clock.now().getTime() + KEY_SEARCH_MAX_MS
  for (const column of columns) {
    for await (const places of walkSealedValues(db, column, isWanted)) {
      if (places.length > 0) return [...new Set(places.map((place) => place.sealed_by))]
      if (clock.now().getTime() >= until) return undefined
    }
  }
  return []
}
