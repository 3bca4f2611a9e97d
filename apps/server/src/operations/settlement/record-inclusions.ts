import type { Block, Chain } from '../../chains/index.ts'
import { inTransaction, isInfrastructureFailure } from '../../database/index.ts'
import { advanceTransaction } from '../lifecycle/advance-transactions.ts'
import { lockOperation } from '../lifecycle/lock-operation.ts'
import { isUnfinished } from '../lifecycle/operation-states.ts'
import type { Parts } from '../lifecycle/parts.ts'
import { markSubmitted } from '../transactions/mark-submitted.ts'
import { linkHash } from '../transactions/transaction-hashes.ts'
import { classifyTransactions, type Finding } from './classify-transactions.ts'
import { findCandidates } from './find-candidates.ts'

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
      await advanceTransaction(tx, operation, transaction, inclusion)
    }
  })
}
