import type { Tx } from '../handles.ts'

/** A statement that does the same for one key or for many. Results in the order of the keys. */
export interface BatchedCall<K, R> {
  run(tx: Tx, keys: readonly K[]): Promise<readonly R[]>
}

/** How one of several works calls statements that all of them need. */
export interface CallBatcher {
  call<K, R>(call: BatchedCall<K, R>, key: K): Promise<R>
}

/** A call without a result. */
export const batchedEffect = <K>(run: (tx: Tx, keys: readonly K[]) => Promise<unknown>): BatchedCall<K, void> => ({
  async run(tx, keys) {
    await run(tx, keys)
    return keys.map(() => undefined)
  },
})

/** Runs each call at once, for a work that is alone in its transaction. */
export const unbatched = (tx: Tx): CallBatcher => ({
  async call(call, key) {
    const [result] = await call.run(tx, [key])
    return result!
  },
})

interface Waiting {
  readonly key: unknown
  resolve(result: unknown): void
  reject(error: unknown): void
}

/**
 * Runs works that do not depend on each other in one transaction, so that the number of statements does not grow with
 * the number of works: when each of them has finished or waits for a call, equal calls run as one statement. A work may
 * also use the transaction itself; the others wait meanwhile.
 *
 * Throws the first error; then the transaction must be rolled back, because other works may be half done.
 */
export async function runBatched(tx: Tx, works: readonly ((batcher: CallBatcher) => Promise<void>)[]): Promise<void> {
  const waiting = new Map<BatchedCall<never, unknown>, Waiting[]>()
  let running = works.length
  let failure: { readonly error: unknown } | undefined

  const rejectAll = (error: unknown): void => {
    failure ??= { error }
    const all = [...waiting.values()].flat()
    waiting.clear()
    running += all.length
    for (const { reject } of all) reject(failure.error)
  }

  const flush = async (): Promise<void> => {
    const calls = [...waiting]
    waiting.clear()
    try {
      for (const [call, entries] of calls) {
        const results = await (call as BatchedCall<unknown, unknown>).run(
          tx,
          entries.map(({ key }) => key),
        )
        // Resolved below, after every statement: a work that continues may use the transaction itself.
        for (const [index, entry] of entries.entries()) Object.assign(entry, { result: results[index] })
      }
    } catch (error) {
      failure ??= { error }
      const failed = calls.flatMap(([, entries]) => entries)
      running += failed.length
      for (const { reject } of failed) reject(error)
      return
    }
    const entries = calls.flatMap(([, all]) => all) as (Waiting & { readonly result?: unknown })[]
    running += entries.length
    for (const { resolve, result } of entries) resolve(result)
  }

  const flushIfAllWait = (): void => {
    if (running > 0) return
    if (failure) rejectAll(failure.error)
    else if (waiting.size > 0) void flush()
  }

  const batcher: CallBatcher = {
    call: <K, R>(call: BatchedCall<K, R>, key: K) =>
      new Promise<R>((resolve, reject) => {
        if (failure) return reject(failure.error)
        const entry = { key, resolve: resolve as (result: unknown) => void, reject }
        const calls = waiting.get(call as BatchedCall<never, unknown>)
        if (calls) calls.push(entry)
        else waiting.set(call as BatchedCall<never, unknown>, [entry])
        running -= 1
        flushIfAllWait()
      }),
  }

  await Promise.allSettled(
    works.map(async (work) => {
      try {
        await work(batcher)
      } catch (error) {
        failure ??= { error }
      } finally {
        running -= 1
        flushIfAllWait()
      }
    }),
  )
  if (failure) throw failure.error
}
