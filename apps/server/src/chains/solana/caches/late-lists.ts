import { type Clock, havePassed, SOLANA_LATE_LIST_MS } from '../../../kernel/index.ts'
import { requestRejected } from '../../rpc/rpc.ts'

/**
 * Waits for the lists of accounts whose amounts no listed transaction explains: nodes write a list after the amount. It
 * waits some minutes at a slot, for whatever accounts, because nobody's accounts may stop a chain for longer.
 */
export function createLateLists(clock: Clock) {
  let waiting: { readonly after: number; readonly since: Date } | undefined
  return {
    /** Throws CHAIN_UNAVAILABLE while there are such accounts, and `after` has not been followed from for long. */
    waitFor(contradicted: readonly string[], after: number): void {
      const [account] = contradicted
      if (account === undefined) return
      if (waiting?.after !== after) waiting = { after, since: clock.now() }
      if (!havePassed(SOLANA_LATE_LIST_MS, waiting.since, clock.now()))
        throw requestRejected('getSignaturesForAddress', `no transaction explains the balance of ${account}`)
    },
  }
}
