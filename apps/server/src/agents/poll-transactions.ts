import type { AuditedActor } from '../identity/index.ts'
import { AGENT_CLAIM_ATTEMPTS_MAX } from '../kernel/index.ts'
import { claimTransaction, countClaimable, type IssuedBytes, issueBytes } from '../operations/index.ts'
import { newLeaseToken } from './lease-token.ts'
import { createLongPollWaiters } from './long-poll.ts'
import type { AgentParts } from './parts.ts'
import { createUnavailableChains } from './unavailable-chains.ts'

export interface PollRequest {
  readonly organizationId: number
  readonly leaseDurationMs: number
  /** Who polls, for the audit log. */
  readonly agent?: AuditedActor
  /** Checks after a wait that the caller may still poll: its key may be deleted by now. Throws if it may not. */
  readonly authenticateAgain?: () => Promise<unknown>
  /** Ends the wait for work: it timed out, the caller is gone, or the service stops. */
  readonly signal: AbortSignal
}

export type PollTransactions = (polling: PollRequest) => Promise<IssuedBytes | undefined>

/**
 * The polls of one process. A poll leases the oldest transaction that can be issued, with its bytes, and waits while
 * there is none (contract 9). An unavailable chain does not block work on others.
 */
export function createTransactionPolls(parts: AgentParts): PollTransactions {
  const unavailable = createUnavailableChains(parts.clock)
  const availableChains = () => unavailable.filterAvailable(parts.chains.keys())
  const waiters = createLongPollWaiters((waiting) =>
    countClaimable(parts.db, waiting, availableChains(), parts.clock.now()),
  )

  const claimAndIssue = async ({
    organizationId,
    leaseDurationMs,
    agent,
  }: PollRequest): Promise<IssuedBytes | undefined> => {
    for (let tries = 0; tries < AGENT_CLAIM_ATTEMPTS_MAX; tries += 1) {
      const claim = await claimTransaction(parts.db, {
        organizationId,
        blockchains: availableChains(),
        leaseToken: newLeaseToken(parts.random),
        now: parts.clock.now(),
      })
      if (!claim) return undefined
      const outcome = await issueBytes(parts, agent === undefined ? claim : { ...claim, agent }, leaseDurationMs)
      if (outcome === 'unavailable') unavailable.markUnavailable(claim.blockchain)
      else if (outcome !== 'retry_later') return outcome
    }
    return undefined
  }

  return async (polling) => {
    for (;;) {
      const issued = await claimAndIssue(polling)
      if (issued || polling.signal.aborted) return issued
      await waiters.wait(polling.organizationId, polling.signal)
      // A poll that timed out or was abandoned must not claim work that it cannot deliver.
      if (polling.signal.aborted) return undefined
      await polling.authenticateAgain?.()
    }
  }
}
