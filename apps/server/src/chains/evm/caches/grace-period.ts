import type { Clock } from '../../../kernel/index.ts'

/** How long something has been so, by a key: a block, or its hash. */
export interface GracePeriod<Key> {
  /** Records the key. True once the grace period since its first record is over: waiting longer is useless. */
  isOverdue(key: Key): boolean
  /** The condition ended: its time starts again. */
  forget(key: Key): void
}

/** Evicts the oldest key beyond `max`. */
export function createGracePeriod<Key>(
  clock: Clock,
  { afterMs, max }: { readonly afterMs: number; readonly max: number },
): GracePeriod<Key> {
  const since = new Map<Key, number>()
  return {
    isOverdue(key) {
      const now = clock.now().getTime()
      const first = since.get(key) ?? now
      since.set(key, first)
      if (since.size > max) since.delete(since.keys().next().value!)
      return now - first >= afterMs
    },
    forget(key) {
      since.delete(key)
    },
  }
}
