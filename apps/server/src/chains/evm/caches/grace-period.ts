import type { Clock } from '../../../kernel/index.ts'

/** How long something has been so, by a key: a block, or its hash. */
export interface GracePeriod<Key> {
  /** Notes it. Whether it was first noted so long ago that waiting longer is useless. */
  isOverdue(key: Key): boolean
  /** It is no longer so: the time begins again. */
  forget(key: Key): void
}

/** Of more than `max` keys, the oldest goes. */
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
