import type { Block, Chain } from '../../chains/index.ts'
import { inTransaction } from '../../database/index.ts'
import { lockOperation } from '../lifecycle/lock-operation.ts'
import { moveTransaction } from '../lifecycle/move-transactions.ts'
import { rollBackInclusions } from '../lifecycle/move-transactions-in-bulk.ts'
import { isUnfinished } from '../lifecycle/operation-states.ts'
import type { Parts } from '../lifecycle/parts.ts'
import { markSubmitted } from '../transactions/mark-submitted.ts'
import { linkHash } from '../transactions/transaction-hashes.ts'
import { classifyTransactions, type Finding } from './classify-transactions.ts'
import { findCandidates } from './find-candidates.ts'
import { isInfrastructureFailure } from './quarantine.ts'

/**
 * Records which of our transactions are in a block that is not final yet. They get its number, and nothing is posted
 * (contract 8: included is not confirmed). Unreported transactions are matched and linked.
 */
export async function recordInclusions(parts: Parts, chain: Chain, block: Block): Promise<void> {
  const candidates = await findCandidates(parts.db, chain.network.blockchain, block)
  for (const finding of classifyTransactions(block.transactions, candidates)) {
    if (finding.kind !== 'landed') continue
    try {
      await recordInclusion(parts, chain, block, finding)
    } catch (error) {
      // Inclusion is only informative: the wallet is settled, or quarantined, when the block is final.
      if (isInfrastructureFailure(error)) throw error
      const { transactionId } = finding.candidate.transaction
      parts.log.warn({ err: error, transactionId, blockNumber: block.number }, 'recording an inclusion failed')
    }
  }
}

async function recordInclusion(
  parts: Parts,
  chain: Chain,
  block: Block,
  { candidate, included }: Finding,
): Promise<void> {
  await inTransaction(parts.db, async (tx) => {
    const at = parts.clock.now()
    const scope = { organizationId: candidate.organizationId, walletProfileId: null }
    const operation = await lockOperation(tx, scope, candidate.transaction.operationId)
    const transaction = operation.transactions[candidate.transaction.position]!
    if (!transaction.canStillLand) return
    await linkHash(tx, {
      organizationId: operation.organizationId,
      blockchain: chain.network.blockchain,
      transactionId: transaction.transactionId,
      txHash: included.hash,
      source: 'watcher',
      at,
    })
    const inclusion = {
      event: 'included',
      block: { blockNumber: block.number, blockHash: block.hash, time: block.time },
      at,
    } as const
    if (isUnfinished(operation.state) && transaction.status !== 'failed') {
      await markSubmitted(tx, operation, transaction, { ...inclusion, txHash: included.hash })
    } else {
      await moveTransaction(tx, operation, transaction, inclusion)
    }
  })
}

/**
 * Whether this final block replaced another one in which our transactions were recorded as included. That happens when
 * a node was unavailable during the reorganization.
 */
export async function replacesIncludedBlock(
  { db }: Pick<Parts, 'db'>,
  blockchain: string,
  { number, hash }: Pick<Block, 'number' | 'hash'>,
): Promise<boolean> {
  const replaced = await db
    .selectFrom('transactions')
    .select('id')
    .where('blockchain', '=', blockchain)
    .where('state', '=', 'pending')
    .where('finalized_at', 'is', null)
    .where('block_number', '=', number)
    .where('block_hash', '<>', hash)
    .limit(1)
    .executeTakeFirst()
  return replaced !== undefined
}

/**
 * Undoes inclusions in blocks above this number, which left the chain in a reorganization. The transactions are pending
 * again, `checkPendingTransactions` sends their stored bytes again (rule 5), and nonces are counted from scratch.
 */
export async function rollbackBlocksAbove(parts: Parts, blockchain: string, number: number): Promise<void> {
  await inTransaction(parts.db, async (tx) => {
    await rollBackInclusions(tx, blockchain, number, parts.clock.now())
    await tx
      .updateTable('transaction_hashes')
      .set({ broadcast_at: null })
      .where('blockchain', '=', blockchain)
      .where('raw', 'is not', null)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('transactions')
            .select('transactions.id')
            .whereRef('transactions.organization_id', '=', 'transaction_hashes.organization_id')
            .whereRef('transactions.id', '=', 'transaction_hashes.transaction_id')
            .where('transactions.state', '=', 'pending')
            .where('transactions.block_number', 'is', null),
        ),
      )
      .execute()
    // Counts from lost blocks would leave a nonce gap before every later plan. Final counts stay valid.
    await tx.updateTable('chain_nonces').set({ latest_count: 0 }).where('blockchain', '=', blockchain).execute()
  })
}
