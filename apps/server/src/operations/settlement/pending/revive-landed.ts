import { type Chain, matchesPlan, type ObservedTransaction } from '../../../chains/index.ts'
import { inTransaction, type Tx } from '../../../database/index.ts'
import type { Parts } from '../../lifecycle/parts.ts'
import { lockOperation } from '../../lifecycle/reads/lock-operation.ts'
import type { Operation } from '../../lifecycle/states/operation.ts'
import type { OperationTransaction, TransactionIn } from '../../lifecycle/states/transaction.ts'
import { advanceTransaction } from '../../lifecycle/transitions/advance-transactions.ts'
import { findLinkedHash, linkHash, type NewHash } from '../../transactions/transaction-hashes.ts'

export interface ReportedLanding {
  readonly operation: Pick<Operation, 'organizationId' | 'operationId'>
  readonly transactionId: number
  /** What a node returns for the hash that was reported of it. */
  readonly lookup: ObservedTransaction
  readonly source: NewHash['source']
}

/** The transactions whose bytes count as dead because nobody found them on the chain, which is weak proof. */
export function withDeadBytes(chain: Chain, operation: Operation): TransactionIn<'stale' | 'dead'>[] {
  if (chain.replayProtection !== 'blockhash' || operation.state === 'COMPLETED') return []
  return operation.transactions.filter((transaction) => hasDeadBytes(transaction))
}

/**
 * Watches a transaction again whose bytes count as dead although a block includes them, so that it settles as a late
 * landing (rule 2): lists of transactions proved its death, and may lack one for long. If that block is no longer there,
 * the bytes die again. Returns whether it did; a transaction that settled meanwhile, perhaps by other bytes of its
 * operation, stays so.
 */
export function reviveLanded(parts: Parts, chain: Chain, landing: ReportedLanding): Promise<boolean> {
  return inTransaction(parts.db, (tx) => revive(parts, chain, tx, landing))
}

async function revive(
  parts: Parts,
  chain: Chain,
  tx: Tx,
  { operation: { organizationId, operationId }, transactionId, lookup, source }: ReportedLanding,
): Promise<boolean> {
  const operation = await lockOperation(tx, { organizationId, walletProfileId: null }, operationId)
  const transaction = withDeadBytes(chain, operation).find((one) => one.transactionId === transactionId)
  if (!transaction || lookup.blockNumber === undefined || !matchesPlan(transaction, lookup)) return false
  const { blockchain } = transaction
  const { hash: txHash } = lookup
  await advanceTransaction(tx, operation, transaction, { event: 'found_landed' })
  // A hash that was reported of another transaction stays there; the landing is found by its content.
  if (!(await findLinkedHash(tx, organizationId, blockchain, txHash)))
    await linkHash(tx, { organizationId, blockchain, transactionId, txHash, source, at: parts.clock.now() })
  return true
}

const hasDeadBytes = (transaction: OperationTransaction): transaction is TransactionIn<'stale' | 'dead'> =>
  transaction.state === 'stale' || transaction.state === 'dead'
