import { METRICS_FRESH_MS } from '../../../kernel/index.ts'

/** A read whose callers share its result while it runs, and for `freshMs` after it. An error is not kept. */
export function sharedRead<T>(read: () => Promise<T>, freshMs = METRICS_FRESH_MS): () => Promise<T> {
  let shared: Promise<T> | undefined
  let freshUntil = Number.POSITIVE_INFINITY
  return () => {
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
}
