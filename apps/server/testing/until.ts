/** A tenth of what was waited already: a look may cost a request, and the processor is what tests lack. */
const pauseMs = (waitedMs: number): number => Math.min(Math.max(waitedMs / 10, 20), 200)

/**
 * Resolves with the first value of `look` that is not undefined, null, false or an error. Tests use it to wait on a
 * condition. If the condition never holds, it throws at the time limit, with `look`'s last error.
 */
export async function until<T>(look: () => T | Promise<T>, limitMs = 100_000): Promise<NonNullable<Exclude<T, false>>> {
  const start = performance.now()
  for (;;) {
    let problem: unknown
    try {
      const value = await look()
      if (value !== undefined && value !== null && value !== false) return value as NonNullable<Exclude<T, false>>
    } catch (error) {
      problem = error
    }
    const waitedMs = performance.now() - start
    if (waitedMs > limitMs) throw new Error('the condition did not come true', { cause: problem })
    await new Promise((resolve) => setTimeout(resolve, pauseMs(waitedMs)))
  }
}
