import { AGENT_CLAIM_ATTEMPTS_MAX } from '../kernel/index.ts'
import { type IssuedBytes, issueBytes } from '../operations/index.ts'
import { claimTransaction, countClaimable } from './claim-transaction.ts'
import { newLeaseToken } from './lease-token.ts'
import { createLongPollWaiters } from './long-poll.ts'
import type { AgentParts } from './parts.ts'
import { createUnavailableChains } from './unavailable-chains.ts'

export interface PollRequest {
  readonly organizationId: number
  readonly leaseDurationMs: number
  /** Ends the wait for work: its time is over, the caller is gone, or the service stops. */
  readonly signal: AbortSignal
}

export type PollTransactions = (polling: PollRequest) => Promise<IssuedBytes | undefined>

/**
 * Polls of one process. A poll leases the oldest transaction that can be handed out, with its bytes, and waits for one
 * while there is none (contract 9). A chain that does not answer keeps nobody from the work on others.
 */
export function createTransactionPolls(parts: AgentParts): PollTransactions {
  const silent = createUnavailableChains(parts.clock)
  const speaking = () => silent.filterAvailable(parts.chains.keys())
  const room = createLongPollWaiters((waiting) => countClaimable(parts.db, waiting, speaking(), parts.clock.now()))

  const claimAndHandOut = async ({
    organizationId,
    leaseDurationMs,
  }: PollRequest): Promise<IssuedBytes | undefined> => {
    for (let tries = 0; tries < AGENT_CLAIM_ATTEMPTS_MAX; tries += 1) {
      const claim = await claimTransaction(parts.db, {
        organizationId,
        blockchains: speaking(),
        leaseToken: newLeaseToken(parts.random),
        now: parts.clock.now(),
      })
      if (!claim) return undefined
      const outcome = await issueBytes(parts, claim, leaseDurationMs)
      if (outcome === 'silent') silent.markUnavailable(claim.blockchain)
      else if (outcome !== 'not_now') return outcome
    }
    return undefined
  }

  return async (polling) => {
    for (;;) {
      const handedOut = await claimAndHandOut(polling)
      if (handedOut || polling.signal.aborted) return handedOut
      await room.wait(polling.organizationId, polling.signal)
      // Whoever waited to the end, or left, is not given work that it would not get.
      if (polling.signal.aborted) return undefined
    }
  }
}
