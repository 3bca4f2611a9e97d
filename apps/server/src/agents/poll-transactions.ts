import { AGENT_TRIES_MAX } from '../kernel/index.ts'
import { type HandedOut, handOut } from '../operations/index.ts'
import { claimNext, countClaimable } from './claim-next.ts'
import { newLeaseToken } from './lease-token.ts'
import type { AgentParts } from './parts.ts'
import { createSilentChains } from './silent-chains.ts'
import { createWaitingRoom } from './waiting-room.ts'

export interface Polling {
  readonly organizationId: number
  readonly leaseDurationMs: number
  /** Ends the wait for work: its time is over, the caller is gone, or the service stops. */
  readonly until: AbortSignal
}

export type PollTransactions = (polling: Polling) => Promise<HandedOut | undefined>

/**
 * Polls of one process. A poll leases the oldest transaction that can be handed out, with its bytes, and waits for one
 * while there is none (decisions 9). A chain that does not answer keeps nobody from the work on others.
 */
export function createTransactionPolls(parts: AgentParts): PollTransactions {
  const silent = createSilentChains(parts.clock)
  const speaking = () => silent.speaking(parts.chains.keys())
  const room = createWaitingRoom((waiting) => countClaimable(parts.db, waiting, speaking(), parts.clock.now()))

  const claimAndHandOut = async ({ organizationId, leaseDurationMs }: Polling): Promise<HandedOut | undefined> => {
    for (let tries = 0; tries < AGENT_TRIES_MAX; tries += 1) {
      const claim = await claimNext(parts.db, {
        organizationId,
        blockchains: speaking(),
        leaseToken: newLeaseToken(parts.random),
        now: parts.clock.now(),
      })
      if (!claim) return undefined
      const outcome = await handOut(parts, claim, leaseDurationMs)
      if (outcome === 'silent') silent.note(claim.blockchain)
      else if (outcome !== 'not_now') return outcome
    }
    return undefined
  }

  return async (polling) => {
    for (;;) {
      const handedOut = await claimAndHandOut(polling)
      if (handedOut || polling.until.aborted) return handedOut
      await room.wait(polling.organizationId, polling.until)
      // Whoever waited to the end, or left, is not given work that it would not get.
      if (polling.until.aborted) return undefined
    }
  }
}
