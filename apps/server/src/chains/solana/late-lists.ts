import { type Clock, havePassed, SOLANA_LATE_LIST_MS } from '../../kernel/index.ts'
import { requestRejected } from '../rpc/rpc.ts'

/**
 * Waits for the lists of accounts whose amounts no listed transaction explains: nodes write a list after the amount. It
 * waits for some minutes, because one account must not stop a chain for good.
 */
export function createLateLists(clock: Clock) {
  let since = new Map<string, Date>()
  return {
    /** Throws CHAIN_UNAVAILABLE while one of these accounts, all that are contradicted now, has not been for long. */
    waitFor(contradicted: readonly string[]): void {
      const now = clock.now()
      since = new Map(contradicted.map((account) => [account, since.get(account) ?? now]))
      const recent = contradicted.find((account) => !havePassed(SOLANA_LATE_LIST_MS, since.get(account), now))
      if (recent !== undefined)
        throw requestRejected('getSignaturesForAddress', `no transaction explains the balance of ${recent}`)
    },
  }
}
