/**
 * Resolves with the first value of `look` that is neither undefined, null, false nor an error. Tests wait on a condition
 * with it; a condition that never comes true ends with the test's own time limit, and `look`'s last error is told.
 */
export async function until<T>(look: () => T | Promise<T>, limitMs = 50_000): Promise<NonNullable<Exclude<T, false>>> {
  const end = performance.now() + limitMs
  for (;;) {
    let problem: unknown
    try {
      const value = await look()
      if (value !== undefined && value !== null && value !== false) return value as NonNullable<Exclude<T, false>>
    } catch (error) {
      problem = error
    }
    if (performance.now() > end) throw new Error('the condition did not come true', { cause: problem })
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
