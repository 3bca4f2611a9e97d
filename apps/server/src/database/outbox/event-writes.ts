/**
 * Listeners for events that this process writes, so that these leave at once and not at the next poll. A hint: a
 * listener is called when the statement is built, before its commit, and for a transaction that is rolled back as well.
 * Events of other processes are found by polling.
 */
const LISTENERS = new Set<() => void>()

/** Returns how to stop listening. */
export function listenToEventWrites(listener: () => void): () => void {
  LISTENERS.add(listener)
  return () => LISTENERS.delete(listener)
}

export function announceEventWrite(): void {
  for (const listener of LISTENERS) listener()
}
