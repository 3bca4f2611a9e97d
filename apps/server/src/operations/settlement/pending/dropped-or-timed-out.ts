import { addMilliseconds } from '../../../kernel/index.ts'
import { DEFAULT_TIMEOUTS, type Parts } from '../../lifecycle/parts.ts'
import type { TransactionFailure } from '../../lifecycle/transitions/advance-transactions.ts'

/** A submitted transaction that is in no block. */
interface PendingFacts {
  readonly lastSeenAt: Date | null
  readonly submittedAt: Date
  readonly lastValidBlockHeight: number | null
  readonly isBeingReplaced: boolean
}

/**
 * Decides whether a submitted transaction failed (contract 8): DROPPED if no node has known it for two minutes, TIMEOUT
 * if no block included it in thirty; `undefined`: it may still land. Nodes that were unavailable until `availableSince`
 * prove nothing about the time before, and neither does a clock that does not agree with the others.
 */
export function droppedOrTimedOut(
  { timeouts = DEFAULT_TIMEOUTS, clockAgrees }: Pick<Parts, 'timeouts' | 'clockAgrees'>,
  { lastSeenAt, submittedAt, lastValidBlockHeight, isBeingReplaced }: PendingFacts,
  now: Date,
  availableSince: Date | undefined,
): TransactionFailure | undefined {
  if (clockAgrees?.() === false) return undefined
  const seenAt = lastSeenAt ?? submittedAt
  const missingSince = availableSince && availableSince > seenAt ? availableSince : seenAt
  // Nodes that have an unreported replacement have forgotten the version that it replaced.
  if (!isBeingReplaced && addMilliseconds(missingSince, timeouts.droppedAfterMs) <= now) {
    const seconds = timeouts.droppedAfterMs / 1_000
    return { code: 'DROPPED', error: `No node has known the transaction for ${seconds} seconds.` }
  }
  // Solana bytes expire with their blockhash; elapsed time proves nothing.
  if (lastValidBlockHeight === null && addMilliseconds(submittedAt, timeouts.inclusionTimeoutMs) <= now) {
    return { code: 'TIMEOUT', error: 'The transaction was not included in a block in time.' }
  }
  return undefined
}
