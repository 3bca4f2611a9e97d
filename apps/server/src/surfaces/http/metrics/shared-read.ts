import { METRICS_FRESH_MS, METRICS_READ_TIMEOUT_MS } from '../../../kernel/index.ts'

export interface SharedReadOptions {
  readonly freshMs?: number | undefined
  readonly timeoutMs?: number | undefined
}

/**
 * A read whose callers share its result while it runs, and for `freshMs` after it. An error is not kept. A caller waits
 * for `timeoutMs` at most; a read that takes longer continues, and later callers share it, so that a silent database
 * holds one connection for each read and not one for each scrape.
 */
export function sharedRead<T>(
  read: () => Promise<T>,
  { freshMs = METRICS_FRESH_MS, timeoutMs = METRICS_READ_TIMEOUT_MS }: SharedReadOptions = {},
): () => Promise<T> {
  let shared: Promise<T> | undefined
  let freshUntil = Number.POSITIVE_INFINITY

  function current(): Promise<T> {
    if (shared !== undefined && performance.now() < freshUntil) return shared
    freshUntil = Number.POSITIVE_INFINITY
    const begun = read()
    shared = begun
    begun.then(
      () => {
        freshUntil = performance.now() + freshMs
      },
      () => {
        shared = undefined
      },
    )
    return begun
  }

  return async () => {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`no result in ${timeoutMs} ms`)), timeoutMs)
    })
    try {
      return await Promise.race([current(), late])
    } finally {
      clearTimeout(timer)
    }
  }
}
