import type { Clock } from '../clock.ts'

/** As long as the service waits for a sent transaction before it fails. */
const GIVEN_UP_AFTER_MS = 30 * 60_000
/** Bounds memory: beyond it, the gaps known longest start again. */
const REMEMBERED_MAX = 10_000

/** How long transactions have waited for an earlier nonce of their wallet. */
export interface NonceGaps {
  /** Notes that the transaction waits; returns whether it has waited for so long that the nonce may never be used. */
  waits(transactionId: number): boolean
  /** The transaction waits no longer. */
  ended(transactionId: number): void
}

/**
 * What should have used an earlier nonce may be gone, dropped from every node. The service issues the same bytes as long
 * as nobody says that they go nowhere.
 */
export function createNonceGaps({ monotonic }: Pick<Clock, 'monotonic'>): NonceGaps {
  const since = new Map<number, number>()
  return {
    waits(transactionId) {
      const began = since.get(transactionId) ?? monotonic()
      since.set(transactionId, began)
      const [oldest] = since.keys()
      if (since.size > REMEMBERED_MAX && oldest !== undefined) since.delete(oldest)
      return monotonic() - began >= GIVEN_UP_AFTER_MS
    },
    ended(transactionId) {
      since.delete(transactionId)
    },
  }
}
