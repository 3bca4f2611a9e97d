import { type Chain, callFromJson, matchesPlan } from '../../../chains/index.ts'
import { inTransaction, runItems, unbatched } from '../../../database/index.ts'
import {
  addMilliseconds,
  BROADCAST_REQUEST_TIMEOUT_MS,
  LOST_BATCH,
  SENDING_WAIT_MS,
  settlesWithin,
} from '../../../kernel/index.ts'
import type { Parts } from '../../lifecycle/parts.ts'
import { lockOperation } from '../../lifecycle/reads/lock-operation.ts'
import { readAgentWork } from '../../lifecycle/reads/read-agent-work.ts'
import { isReplacementIssued } from '../../lifecycle/states/agent-work.ts'
import { recordLastSeen } from '../../lifecycle/transitions/advance-transactions.ts'
import { failTransaction } from '../../lifecycle/transitions/fail-transaction.ts'
import { filterPastBlocks, settlePastBlock } from '../blocks/settle-past-block.ts'
import { droppedOrTimedOut } from './dropped-or-timed-out.ts'
import { type Known, type PendingRow, pendingWithoutBlock } from './pending-rows.ts'
import { newSendingProgress, type SendingProgress, sendPending } from './send-pending.ts'

export interface CheckOptions {
  /**
   * When the nodes last became available again. An outage proves nothing about what nodes knew during it, so the two
   * minutes start no earlier. Omitted if there was no outage.
   */
  readonly availableSince?: Date | undefined
  /** Once aborted, nothing more is sent or failed. */
  readonly signal?: AbortSignal
  /** Omitted for a single check. */
  readonly sending?: SendingProgress
}

/**
 * Checks submitted transactions that are in no block. Sends stored bytes again ({@link sendPending}), records which
 * transactions nodes still know, and fails lost ones (contract 8): DROPPED if no node knows it for two minutes, TIMEOUT
 * after thirty. Their bytes stay tracked (rule 2). A transaction in a past block that was settled without it is settled
 * now. One batched HTTP call, and one for each send.
 *
 * Blocks wait while it runs: nodes that answer reads and hang on sends delay it by `SENDING_WAIT_MS`, and what is still
 * being sent then continues beside the next rounds. One call fails a limited number; the next call fails the others.
 */
export async function checkPendingTransactions(
  parts: Parts,
  chain: Chain,
  { availableSince, signal, sending = newSendingProgress() }: CheckOptions = {},
): Promise<void> {
  const rows = await pendingWithoutBlock(
    parts.db,
    chain.network.blockchain,
    addMilliseconds(parts.clock.now(), -BROADCAST_REQUEST_TIMEOUT_MS),
  )
  if (rows.length === 0) return
  const hashes = rows.flatMap((row) => row.hashes.map(({ tx_hash }) => tx_hash))
  const lookups = await chain.findTransactions(hashes)
  const known: Known = new Map(hashes.flatMap((hash, index) => (lookups[index] ? [[hash, lookups[index]]] : [])))
  const seenRows = rows.filter((row) => isSeen(row, known))
  await recordLastSeen(
    parts.db,
    seenRows.map((row) => ({ organizationId: row.organization_id, transactionId: row.transaction_id })),
    parts.clock.now(),
  )
  await runItems(parts, await filterPastBlocks(parts.db, chain, lookups), {
    job: `settle past blocks of ${chain.network.blockchain}`,
    keyOf: ({ hash }) => hash,
    work: (lookup) => settlePastBlock(parts, chain, lookup),
  })
  sending.underway ??= sendPending(parts, chain, { rows, known, progress: sending }, signal).finally(() => {
    sending.underway = undefined
  })
  await settlesWithin(sending.underway, SENDING_WAIT_MS)
  const now = parts.clock.now()
  const seen = new Set(seenRows)
  const lost = rows.filter((row) => {
    const lastSeenAt = seen.has(row) ? now : row.last_seen_at
    const { submitted_at: submittedAt, last_valid_block_height: lastValidBlockHeight } = row
    const pending = { lastSeenAt, submittedAt, lastValidBlockHeight, isBeingReplaced: row.is_being_replaced }
    return droppedOrTimedOut(parts, pending, now, availableSince) !== undefined
  })
  let tried = 0
  // Not only the first ones: of those, some may have failed before, and come last.
  await runItems(parts, lost, {
    job: 'check pending transactions',
    keyOf: (row) => String(row.transaction_id),
    work: async (row) => {
      tried += 1
      if (tried <= LOST_BATCH && !signal?.aborted) await failIfLost(parts, row, availableSince)
    },
  })
}

/**
 * Whether a node knows the planned transaction. A reported hash may be that of another one, even by another sender: that
 * says nothing about the planned bytes, and must not hold their nonce, which other organizations share (rule 3).
 */
function isSeen({ sender, nonce, call, hashes }: PendingRow, known: Known): boolean {
  const planned = { sender, nonce, call: callFromJson(call) }
  return hashes.some(({ tx_hash }) => {
    const lookup = known.get(tx_hash)
    return lookup !== undefined && matchesPlan(planned, lookup)
  })
}

/** Checks again under the lock: it may have been sent, seen, included or undone meanwhile. */
async function failIfLost(parts: Parts, row: PendingRow, availableSince: Date | undefined): Promise<void> {
  await inTransaction(parts.db, async (tx) => {
    const scope = { organizationId: row.organization_id, walletProfileId: null }
    const operation = await lockOperation(tx, scope, row.operation_id)
    const transaction = operation.transactions.find(({ transactionId }) => transactionId === row.transaction_id)
    if (transaction?.state !== 'submitted' && transaction?.state !== 'displaced') return
    const isBeingReplaced =
      operation.executor === 'agent' &&
      isReplacementIssued(await readAgentWork(tx, operation.organizationId, transaction.transactionId))
    const failure = droppedOrTimedOut(parts, { ...transaction, isBeingReplaced }, parts.clock.now(), availableSince)
    if (failure)
      await failTransaction(unbatched(tx), {
        operation,
        transaction,
        change: { event: 'failed', failure },
        at: parts.clock.now(),
      })
  })
}
