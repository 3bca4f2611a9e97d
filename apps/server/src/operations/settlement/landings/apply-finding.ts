import { sql } from 'kysely'
import { consumesNonce, type FailureCode, type IncludedTransaction } from '../../../chains/index.ts'
import { batchedEffect } from '../../../database/index.ts'
import { addMilliseconds, assert, BROADCAST_REQUEST_TIMEOUT_MS } from '../../../kernel/index.ts'
import { READ_OPERATION } from '../../lifecycle/reads/read-operations.ts'
import type { Operation } from '../../lifecycle/states/operation.ts'
import type { OperationTransaction } from '../../lifecycle/states/transaction.ts'
import { ADVANCE_TRANSACTION } from '../../lifecycle/transitions/advance-transactions.ts'
import { failTransaction } from '../../lifecycle/transitions/fail-transaction.ts'
import { LINK_HASH } from '../../transactions/transaction-hashes.ts'
import type { Candidate, Finding } from '../discovery/classify-transactions.ts'
import { IS_BROADCAST_IN_PROGRESS } from '../shared/settlement-calls.ts'
import type { SettlementContext } from '../shared/settlement-context.ts'
import { failDisplacedTransactions } from './fail-displaced.ts'
import { settleLanded } from './settle-landed.ts'

/** Applies a final block's finding about one of our transactions. Idempotent. */
export async function applyFinding(
  settlement: SettlementContext,
  finding: Finding,
  reason: string | undefined,
): Promise<void> {
  if (finding.kind === 'landed') await failDisplacedTransactions(settlement, finding.candidate)
  const { operation, transaction } = await reloadTransaction(settlement, finding.candidate)
  if (!transaction.canStillLand) return
  if (finding.kind === 'displaced') return applyDisplaced(settlement, operation, transaction, finding.included.hash)
  if (finding.kind === 'mismatch') return applyMismatch(settlement, operation, transaction, finding.included)

  await settlement.batcher.call(LINK_HASH, {
    organizationId: operation.organizationId,
    blockchain: transaction.blockchain,
    transactionId: transaction.transactionId,
    txHash: finding.included.hash,
    source: 'watcher',
    at: settlement.at,
  })
  if (finding.included.succeeded) return settleLanded(settlement, operation, transaction, finding.included)
  const code = finding.included.failureCode
  assert(code, 'a failed transaction has a failure code')
  const { batcher, block, at } = settlement
  await failTransaction(batcher, {
    operation,
    transaction,
    change: {
      event: 'reverted',
      failure: { code, error: FAILURES[code] },
      revertReason: reason ?? null,
      block: { blockNumber: finding.included.blockNumber, blockHash: block.hash, time: block.time },
      txHash: finding.included.hash,
      at,
    },
    at,
  })
}

const FAILURES: Readonly<Record<FailureCode, string>> = {
  REVERTED: 'The contract reverted the transaction.',
  OUT_OF_GAS: 'The transaction ran out of gas.',
  INSUFFICIENT_FUNDS: 'The wallet had too little native token for fees or rent.',
}

async function reloadTransaction({ batcher, snapshot }: SettlementContext, candidate: Candidate) {
  const { organizationId } = snapshot.wallet
  const { operationId } = candidate.transaction
  const operation = await batcher.call(READ_OPERATION, { organizationId, operationId })
  const transaction = operation.transactions[candidate.transaction.position]
  assert(transaction, 'a transaction keeps its position in its operation')
  return { operation, transaction }
}

/** Another transaction used its nonce, so its bytes are dead: a submitted transaction fails, another one goes stale. */
async function applyDisplaced(
  settlement: SettlementContext,
  operation: Operation,
  transaction: OperationTransaction,
  by: string,
): Promise<void> {
  const { batcher, at } = settlement
  const invalidateBytes = () =>
    batcher.call(ADVANCE_TRANSACTION, { operation, transaction, change: { event: 'bytes_died' } })
  if (transaction.status !== 'pending') return invalidateBytes()
  // The request that is broadcasting it gets the same error from the node, undoes the submission and returns the URL of
  // new bytes (contract 4).
  const { organizationId } = operation
  const { transactionId } = transaction
  const since = addMilliseconds(at, -BROADCAST_REQUEST_TIMEOUT_MS)
  if (await batcher.call(IS_BROADCAST_IN_PROGRESS, { organizationId, transactionId, since })) return invalidateBytes()
  const wasSeen = transaction.lastSeenAt !== null
  const failure = wasSeen
    ? { code: 'REPLACED', error: `The transaction was replaced by ${by}.` }
    : { code: 'NONCE_TOO_LOW', error: `The nonce was already used by ${by}.` }
  await failTransaction(batcher, { operation, transaction, change: { event: 'failed_for_good', failure }, at })
}

/**
 * The reported hash belongs to another transaction: the planned one fails, and the operation is flagged (contract 6).
 * Its own bytes may still land, unless the other transaction used their nonce.
 */
async function applyMismatch(
  settlement: SettlementContext,
  operation: Operation,
  transaction: OperationTransaction,
  by: IncludedTransaction,
): Promise<void> {
  const { batcher, at } = settlement
  await batcher.call(FLAG_OPERATION, { operation, reason: `TRANSACTION_MISMATCH: ${by.hash}` })
  const isDead = consumesNonce(transaction, by)
  if (transaction.status !== 'pending') {
    if (isDead) await batcher.call(ADVANCE_TRANSACTION, { operation, transaction, change: { event: 'bytes_died' } })
    return
  }
  const error = `TRANSACTION_MISMATCH: ${by.hash} is not the planned transaction.`
  const event = isDead ? 'failed_for_good' : 'failed'
  await failTransaction(batcher, { operation, transaction, change: { event, failure: { code: 'UNKNOWN', error } }, at })
}

/** Why an operation is flagged. */
interface Flag {
  readonly operation: Pick<Operation, 'organizationId' | 'operationId'>
  readonly reason: string
}

const FLAG_OPERATION = batchedEffect<Flag>((tx, flags) =>
  sql`
    update operations o set flag_reason = f.reason
    from unnest(${flags.map(({ operation }) => operation.organizationId)}::bigint[],
      ${flags.map(({ operation }) => operation.operationId)}::bigint[], ${flags.map(({ reason }) => reason)}::text[])
      as f(organization_id, id, reason)
    where o.organization_id = f.organization_id and o.id = f.id
  `.execute(tx),
)
