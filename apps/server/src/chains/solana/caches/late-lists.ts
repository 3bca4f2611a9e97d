import { type Clock, havePassed, SOLANA_LATE_LIST_MS } from '../../../kernel/index.ts'
import { requestRejected } from '../../rpc/rpc.ts'

/**
 * Waits for what nodes write late: the list of an account whose amount no listed transaction explains, or a transaction
 * that they list and do not have. It waits some minutes at a slot, for whatever accounts, because nobody's accounts may
 * stop a chain for longer.
 */
export function createLateLists(clock: Clock) {
  let waiting: { readonly after: number; readonly since: Date } | undefined
  return {
    /** Throws CHAIN_UNAVAILABLE while something is late, and `after` has not been followed from for long. */
    waitFor(late: readonly string[], after: number): void {
      const [first] = late
      if (first === undefined) return
      if (waiting?.after !== after) waiting = { after, since: clock.now() }
      if (!havePassed(SOLANA_LATE_LIST_MS, waiting.since, clock.now()))
        throw requestRejected('getSignaturesForAddress', first)
    },
  }
}
