import type { Broadcast, Chain } from '../chains/index.ts'
import { inTransaction, type Tx } from '../database/index.ts'
import { Failure } from '../kernel/index.ts'
import { advance } from './advance.ts'
import { isUnfinished } from './machine.ts'
import { staleFailure } from './mark-submitted.ts'
import type { Operation } from './operation.ts'
import type { Parts } from './parts.ts'
import { readLocked } from './read-locked.ts'
import type { Submitted } from './submit-signed.ts'

/**
 * Sends bytes that are stored (money-rules 5). A certain refusal takes the submission back, so that the operation is as
 * it was; anything else keeps it pending, and the watcher finds out.
 *
 * Errors: INSUFFICIENT_GAS, SIMULATION_FAILED (its fee is too low, for example), OPERATION_ALREADY_SUBMITTED (a
 * replacement that pays too little),
 * OPERATION_EXPIRED (the nonce is used).
 */
export async function broadcastStored(
  parts: Parts,
  chain: Chain,
  organizationId: number,
  submitted: Submitted,
  raw: string,
  finish?: (tx: Tx, submitted: Submitted) => Promise<void>,
): Promise<void> {
  const result = await chain.broadcast(raw)
  if (result.outcome === 'refused' || result.outcome === 'stale') {
    // A node that knows the bytes already may call their nonce used: look before acting.
    const [sighting] = await chain.lookUp([submitted.txHash])
    if (!sighting) {
      const isReplacement = await takeBack(parts, organizationId, submitted, chain.network.blockchain)
      throw refusal(result, submitted.operationId, isReplacement)
    }
  }
  await inTransaction(parts.db, async (tx) => {
    if (result.outcome !== 'unknown')
      await noteSent(tx, organizationId, submitted, chain.network.blockchain, parts.clock.now())
    await finish?.(tx, submitted)
  })
}

async function noteSent(
  tx: Tx,
  organizationId: number,
  submitted: Submitted,
  blockchain: string,
  at: Date,
): Promise<void> {
  await tx
    .updateTable('transaction_hashes')
    .set({ broadcast_at: at })
    .where('organization_id', '=', organizationId)
    .where('blockchain', '=', blockchain)
    .where('tx_hash', '=', submitted.txHash)
    .execute()
  await tx
    .updateTable('transactions')
    .set({ seen_at: at })
    .where('organization_id', '=', organizationId)
    .where('id', '=', submitted.transactionId)
    .execute()
}

/**
 * Undoes a submission that no node took. Does nothing if the watcher has seen it meanwhile. Returns whether the
 * transaction counts as submitted all the same: an earlier version of it is on its way.
 */
async function takeBack(
  parts: Parts,
  organizationId: number,
  submitted: Submitted,
  blockchain: string,
): Promise<boolean> {
  return inTransaction(parts.db, async (tx) => {
    const sight = { organizationId, walletProfileId: null }
    const operation = await readLocked(tx, sight, submitted.operationId)
    const transaction = operation.transactions.find(({ transactionId }) => transactionId === submitted.transactionId)
    if (transaction?.state !== 'pending' || transaction.blockNumber !== null) return true
    await tx
      .deleteFrom('transaction_hashes')
      .where('organization_id', '=', organizationId)
      .where('blockchain', '=', blockchain)
      .where('tx_hash', '=', submitted.txHash)
      .execute()
    const earlier = await tx
      .selectFrom('transaction_hashes')
      .select('tx_hash')
      .where('organization_id', '=', organizationId)
      .where('transaction_id', '=', submitted.transactionId)
      .orderBy('created_at', 'desc')
      .executeTakeFirst()
    await tx
      .updateTable('transactions')
      .set(
        earlier
          ? { tx_hash: earlier.tx_hash }
          : { ...backTo(operation), tx_hash: null, submitted_at: null, seen_at: null },
      )
      .where('organization_id', '=', organizationId)
      .where('id', '=', submitted.transactionId)
      .execute()
    if (!earlier && operation.state === 'CONFIRMING') {
      await advance(tx, [{ operation, event: 'submission_refused' }], parts.clock.now())
    }
    return earlier !== undefined
  })
}

/** What a transaction is that was never submitted: waiting, unless its operation has ended meanwhile. */
function backTo({ state }: Operation) {
  if (isUnfinished(state)) return { state: 'unsigned' } as const
  return { state: 'failed', error: 'The operation ended before the transaction was submitted.' } as const
}

function refusal(
  result: Exclude<Broadcast, { outcome: 'accepted' | 'known' | 'unknown' }>,
  operationId: number,
  isReplacement: boolean,
): Failure {
  if (result.outcome === 'stale') return staleFailure(operationId)
  const { code, reason } = result
  if (code !== 'UNDERPRICED') return new Failure(code, { details: { reason } })
  if (isReplacement) {
    return new Failure('OPERATION_ALREADY_SUBMITTED', { message: 'A replacement must pay at least 10 % more.' })
  }
  return new Failure('SIMULATION_FAILED', {
    message: 'No node takes the transaction for so low a fee. Ask for its bytes again: they come with one that fits.',
    details: { reason },
  })
}
