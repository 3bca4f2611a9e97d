/**
 * Runs `work`, and `after` whatever happened. Where both fail, throws the error of `work`: what broke it usually breaks
 * `after` too, and a `finally` would throw that error in its place.
 */
export async function withCleanup<T>(work: () => Promise<T>, after: () => Promise<unknown>): Promise<T> {
  let result: T
  try {
    result = await work()
  } catch (error) {
    await after().catch(() => undefined)
    throw error
  }
  await after()
  return result
}
