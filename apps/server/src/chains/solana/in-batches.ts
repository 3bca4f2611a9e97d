/** Concurrent calls: a few HTTP requests, so that providers do not refuse them as too many. */
const BATCH_SIZE = 400

/** Calls `read` for every item, a few hundred at a time; results in item order. */
export async function inBatches<T, R>(items: readonly T[], read: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let from = 0; from < items.length; from += BATCH_SIZE) {
    results.push(...(await Promise.all(items.slice(from, from + BATCH_SIZE).map(read))))
  }
  return results
}
