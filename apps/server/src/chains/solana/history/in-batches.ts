import { SOLANA_CALLS_BATCH } from '../../../kernel/index.ts'

/** Calls `read` for every item, a few hundred at a time; results in item order. */
export async function inBatches<T, R>(items: readonly T[], read: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let from = 0; from < items.length; from += SOLANA_CALLS_BATCH) {
    results.push(...(await Promise.all(items.slice(from, from + SOLANA_CALLS_BATCH).map(read))))
  }
  return results
}
