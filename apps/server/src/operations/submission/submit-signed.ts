import type { Chain, ObservedTransaction, SignedTransaction } from '../../chains/index.ts'
import { inTransaction, type Transact, type Tx, transactOn, unbatched } from '../../database/index.ts'
import type { Scope } from '../../identity/index.ts'
import { Failure } from '../../kernel/index.ts'
import { getOperation } from '../lifecycle/conflicts/get-operation.ts'
import { chainOf, type Parts } from '../lifecycle/parts.ts'
import { lockOperation } from '../lifecycle/reads/lock-operation.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import { isUnfinished } from '../lifecycle/states/operation-states.ts'
import { hasHash, isSubmitted, type OperationTransaction } from '../lifecycle/states/transaction.ts'
import { recordTransactionHash } from '../lifecycle/transitions/advance-transactions.ts'
import { filterPastBlocks, settlePastBlock } from '../settlement/blocks/settle-past-block.ts'
import { broadcastStoredBytes, type SubmissionResult } from '../transactions/broadcast-stored-bytes.ts'
import { hasLiveDuplicate } from '../transactions/duplicate-transactions.ts'
import { markSubmitted, nonceUsedFailure, operationEndedFailure } from '../transactions/mark-submitted.ts'
import { matchSignedTransaction, type SignedMatch } from '../transactions/match-signed-transaction.ts'
import { findLinkedHash, linkHash } from '../transactions/transaction-hashes.ts'
import { type AuditedSubmission, auditSubmission } from './audit-submission.ts'
import { hashTakenFailure, requireClientExecutor, requireNotExpired } from './require-submittable.ts'

export interface SubmitSigned {
  readonly scope: Scope
  readonly operationId: number
  readonly signedTransaction: string
  readonly transactionId?: number | undefined
  readonly txHash?: string | undefined
  /** For the audit log, once: the same bytes again have no entry. */
  readonly audited?: AuditedSubmission | undefined
}

/**
 * Commits the hash, the signed bytes and their audit entry, then broadcasts them (contract 6, rule 5). If a node
 * certainly rejects them, the operation is unchanged; if the outcome is uncertain, the transaction is tracked. Submitting
 * the same bytes again returns the first result.
 *
 * Errors: OPERATION_NOT_FOUND, TRANSACTION_NOT_FOUND, INVALID_OPERATION_STATUS, VALIDATION_ERROR, TRANSACTION_MISMATCH,
 * OPERATION_EXPIRED, OPERATION_ALREADY_SUBMITTED, INSUFFICIENT_GAS, SIMULATION_FAILED, CHAIN_UNAVAILABLE.
 */
export async function submitSigned(
  parts: Parts,
  input: SubmitSigned,
  transact: Transact<SubmissionResult> = transactOn(parts.db),
): Promise<SubmissionResult> {
  const operation = await getOperation(parts, input.scope, input.operationId)
  requireClientExecutor(operation)
  return submitSignedForOperation(parts, operation, input, transact)
}

/** {@link submitSigned} for an operation that the caller has read and is allowed to submit. */
export async function submitSignedForOperation(
  parts: Parts,
  operation: Operation,
  input: SubmitSigned,
  transact: Transact<SubmissionResult> = transactOn(parts.db),
): Promise<SubmissionResult> {
  const chain = chainOf(parts, operation.transactions[0]!.blockchain)
  const matched = await matchPlan(chain, operation, input)
  requireHash(chain, matched.signed, input.txHash)
  const submitted: SubmissionResult = {
    transactionId: matched.transaction.transactionId,
    operationId: operation.operationId,
    txHash: matched.signed.hash,
  }
  const linked = await findLinkedHash(
    parts.db,
    operation.organizationId,
    matched.transaction.blockchain,
    submitted.txHash,
  )
  if (linked?.transactionId === submitted.transactionId) return submitted
  if (!isUnfinished(operation.state)) {
    if (linked) throw hashTakenFailure()
    const [lookup] = await chain.findTransactions([submitted.txHash])
    if (!lookup) throw finishedOperationFailure(operation)
    for (const passed of await filterPastBlocks(parts.db, chain, [lookup])) await settlePastBlock(parts, chain, passed)
    return transact((tx) => linkLanded(parts, tx, input, { matched, submitted }))
  }

  const reported = await readReported(parts, chain, operation, matched.transaction)
  const isOnChain = await isLateOnChain(parts, chain, operation, matched)
  await storeSignedBytes(parts, input, chain, { ...matched, reported, isOnChain })
  const { transaction } = matched
  return broadcastStoredBytes(
    parts,
    chain,
    {
      organizationId: operation.organizationId,
      submitted,
      raw: matched.signed.raw,
      lastValidBlockHeight: 'lastValidBlockHeight' in transaction ? transaction.lastValidBlockHeight : null,
    },
    transact,
  )
}

/** {@link matchSignedTransaction}; on an operation that has ended, other bytes get the error of its end (contract 6). */
async function matchPlan(chain: Chain, operation: Operation, input: SubmitSigned): Promise<SignedMatch> {
  try {
    return await matchSignedTransaction(chain, operation, input.signedTransaction, input.transactionId)
  } catch (error) {
    const isOther = error instanceof Failure && error.code === 'TRANSACTION_MISMATCH'
    throw isOther && !isUnfinished(operation.state) ? finishedOperationFailure(operation) : error
  }
}

/**
 * Links signed bytes of an ended operation that a node knows; they complete it once they are final (rule 2). Of two plans
 * with the same bytes, the hash belongs to the unfinished one. Error: OPERATION_ALREADY_SUBMITTED.
 */
async function linkLanded(
  parts: Parts,
  tx: Tx,
  { scope, audited }: SubmitSigned,
  { matched, submitted }: { readonly matched: SignedMatch; readonly submitted: SubmissionResult },
): Promise<SubmissionResult> {
  const at = parts.clock.now()
  const { signed, transaction: read } = matched
  const operation = await lockOperation(tx, scope, read.operationId)
  const transaction = operation.transactions[read.position]!
  if (await hasLiveDuplicate(tx, operation, transaction)) throw hashTakenFailure()
  if (await linkSigned(tx, { operation, transaction, signed, at })) {
    await auditSubmission(tx, audited, { ...submitted, organizationId: operation.organizationId, at })
    if (!hasHash(transaction)) await recordTransactionHash(tx, { ...operation, ...submitted }, signed.hash, at)
    return submitted
  }
  const other = await findLinkedHash(tx, operation.organizationId, transaction.blockchain, signed.hash)
  if (other?.transactionId !== transaction.transactionId) throw hashTakenFailure()
  return submitted
}

/** The error for other bytes of a completed operation is the same as while it was pending (contract 6). */
function finishedOperationFailure(operation: Operation): Failure {
  return operation.state === 'COMPLETED' ? new Failure('OPERATION_ALREADY_SUBMITTED') : operationEndedFailure(operation)
}

function requireHash(chain: Chain, signed: SignedTransaction, txHash: string | undefined): void {
  if (txHash === undefined || chain.normalizeHash(txHash) === signed.hash) return
  throw new Failure('TRANSACTION_MISMATCH', {
    message: 'txHash is not the hash of the signed transaction.',
    details: { fields: ['txHash'] },
  })
}

/**
 * What nodes know of a transaction that the client broadcast itself and that waits for its block: Weir has no bytes of it,
 * so its fees are read. `undefined`: there is none, or no node knows it. Error: CHAIN_UNAVAILABLE.
 */
async function readReported(
  parts: Parts,
  chain: Chain,
  { organizationId }: Operation,
  transaction: OperationTransaction,
): Promise<ObservedTransaction | undefined> {
  if (chain.replayProtection !== 'nonce' || transaction.status !== 'pending' || !hasHash(transaction)) return undefined
  const linked = await findLinkedHash(parts.db, organizationId, transaction.blockchain, transaction.txHash)
  if (linked?.raw !== null) return undefined
  const [lookup] = await chain.findTransactions([transaction.txHash])
  return lookup
}

/**
 * Whether a node knows bytes that arrive after the expiry of an operation that has something in flight: what is on the
 * chain is never refused as expired (contract 6). Error: CHAIN_UNAVAILABLE.
 */
async function isLateOnChain(
  parts: Parts,
  chain: Chain,
  { expiresAt }: Operation,
  { transaction, signed }: SignedMatch,
): Promise<boolean> {
  if (transaction.status !== 'unsigned' || expiresAt === null || expiresAt > parts.clock.now()) return false
  const [lookup] = await chain.findTransactions([signed.hash])
  return lookup !== undefined
}

interface StoredMatch extends SignedMatch {
  readonly reported: ObservedTransaction | undefined
  readonly isOnChain: boolean
}

/** Commits the hash, the bytes and their audit entry before they are sent. Checks everything again under the wallet's lock. */
async function storeSignedBytes(
  parts: Parts,
  { scope, audited }: SubmitSigned,
  chain: Chain,
  { transaction: read, signed, reported, isOnChain }: StoredMatch,
): Promise<void> {
  await inTransaction(parts.db, async (tx) => {
    const at = parts.clock.now()
    const operation = await lockOperation(tx, scope, read.operationId)
    const transaction = operation.transactions[read.position]!
    // A concurrent request stored the same bytes: both return the same result.
    if (hasHash(transaction) && transaction.txHash === signed.hash) return
    if (!isUnfinished(operation.state)) throw finishedOperationFailure(operation)
    await requireSubmittable(parts, chain, tx, { operation, transaction, signed, reported, isOnChain })
    const linked = await linkSigned(tx, { operation, transaction, signed, at })
    if (linked) {
      const { organizationId } = operation
      await auditSubmission(tx, audited, { ...transaction, organizationId, at })
      return markSubmitted(unbatched(tx), operation, transaction, { event: 'submitted', txHash: signed.hash, at })
    }
    const other = await findLinkedHash(tx, operation.organizationId, transaction.blockchain, signed.hash)
    if (other?.transactionId !== transaction.transactionId) throw hashTakenFailure()
  })
}

interface SignedLink {
  readonly operation: Operation
  readonly transaction: OperationTransaction
  readonly signed: SignedTransaction
  readonly at: Date
}

function linkSigned(
  tx: Tx,
  {
    operation: { organizationId },
    transaction: { blockchain, transactionId },
    signed: { hash: txHash, raw },
    at,
  }: SignedLink,
): Promise<boolean> {
  return linkHash(tx, { organizationId, blockchain, transactionId, txHash, source: 'signed', raw, at })
}

interface SubmittedBytes {
  readonly operation: Operation
  readonly transaction: OperationTransaction
  readonly signed: SignedTransaction
  readonly reported: ObservedTransaction | undefined
  readonly isOnChain: boolean
}

/** Requires order, time and a first submission, or a replacement that pays at least 10% more (contract 6). */
async function requireSubmittable(
  parts: Parts,
  chain: Chain,
  tx: Tx,
  { operation, transaction, signed, reported, isOnChain }: SubmittedBytes,
): Promise<void> {
  const earlier = operation.transactions.slice(0, transaction.position)
  if (!earlier.every(isSubmitted)) {
    throw new Failure('INVALID_OPERATION_STATUS', {
      message: 'Submit the earlier transactions of the operation first.',
    })
  }
  if (transaction.status === 'unsigned') {
    if (!transaction.canStillLand) throw nonceUsedFailure(operation.operationId)
    if (!isOnChain) requireNotExpired(operation, parts.clock.now())
    return
  }
  if (
    transaction.status !== 'pending' ||
    !(await isValidReplacement(chain, tx, { operation, transaction, signed, reported }))
  ) {
    throw new Failure('OPERATION_ALREADY_SUBMITTED')
  }
}

async function isValidReplacement(
  chain: Chain,
  tx: Tx,
  { operation, transaction, signed, reported }: Omit<SubmittedBytes, 'isOnChain'>,
): Promise<boolean> {
  if (!hasHash(transaction)) return false
  const { txHash, blockchain } = transaction
  const current = await findLinkedHash(tx, operation.organizationId, blockchain, txHash)
  if (!current) return false
  if (current.raw === null) {
    if (chain.replayProtection !== 'nonce') return false
    // The client broadcast it itself. What no node knows is no obstacle: only one transaction lands with the nonce.
    if (reported === undefined) return true
    return reported.hash === txHash && reported.blockNumber === undefined && chain.canReplace(signed, reported)
  }
  const previous = await chain.checkSigned(current.raw, transaction)
  return chain.canReplace(signed, previous)
}
