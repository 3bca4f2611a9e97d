import { type Chain, matchesPlan, type ObservedTransaction } from '../../chains/index.ts'
import { type Transact, type Tx, unbatched } from '../../database/index.ts'
import type { Scope } from '../../identity/index.ts'
import { type ErrorCode, Failure, validationError } from '../../kernel/index.ts'
import { getOperation } from '../lifecycle/conflicts/get-operation.ts'
import { chainOf, type Parts } from '../lifecycle/parts.ts'
import { lockOperation } from '../lifecycle/reads/lock-operation.ts'
import { readOperationOfTransaction } from '../lifecycle/reads/read-operations.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import { isUnfinished } from '../lifecycle/states/operation-states.ts'
import { isSubmitted, type OperationTransaction } from '../lifecycle/states/transaction.ts'
import { recordTransactionHash } from '../lifecycle/transitions/advance-transactions.ts'
import { filterPastBlocks, settlePastBlock } from '../settlement/blocks/settle-past-block.ts'
import { reviveLanded, withDeadBytes } from '../settlement/pending/revive-landed.ts'
import type { SubmissionResult } from '../transactions/broadcast-stored-bytes.ts'
import { hasLiveDuplicate, isDuplicate } from '../transactions/duplicate-transactions.ts'
import { markSubmitted, nonceUsedFailure } from '../transactions/mark-submitted.ts'
import { findLinkedHash, linkHash } from '../transactions/transaction-hashes.ts'
import { hashTakenFailure, requireClientExecutor, requireNotExpired } from './require-submittable.ts'

/** The hash of one of the operation's transactions, which the client broadcast itself. */
export interface ReportedHash {
  readonly scope: Scope
  readonly operationId: number
  readonly txHash: string
  /** The transaction with this hash. If omitted: matched by content, or else the first that was never submitted. */
  readonly transactionId?: number | undefined
}

/** The differences between submit-hash and recover. */
interface LinkRules {
  readonly source: 'hash' | 'recover'
  /** Every candidate was submitted already. */
  readonly nothingLeftCode: ErrorCode
  /** The chain knows the hash, but no transaction of the operation matches it. */
  readonly noMatchCode: ErrorCode
}

interface LinkReport {
  readonly input: ReportedHash
  readonly rules: LinkRules
  readonly txHash: string
  /** The transaction that a node returns for the hash. */
  readonly lookup: ObservedTransaction | undefined
}

/**
 * Links a hash that a client reports to the planned transaction (contract 6, in the order of that section). A
 * transaction that the chain knows is compared with the plan at once. An unknown hash is accepted, and the follower
 * checks it once it is in a block. A transaction that landed before the report is settled, even in a past block, and even
 * if its bytes counted as dead.
 *
 * Errors: OPERATION_NOT_FOUND, INVALID_OPERATION_STATUS, VALIDATION_ERROR, OPERATION_ALREADY_SUBMITTED,
 * TRANSACTION_NOT_FOUND, OPERATION_EXPIRED, `rules.nothingLeftCode`, `rules.noMatchCode`, CHAIN_UNAVAILABLE.
 */
export async function linkReportedHash(
  parts: Parts,
  input: ReportedHash,
  rules: LinkRules,
  transact: Transact<SubmissionResult>,
): Promise<SubmissionResult> {
  const operation = await getOperation(parts, input.scope, input.operationId)
  if (rules.source === 'hash') requireClientExecutor(operation)
  const chain = chainOf(parts, operation.transactions[0]!.blockchain)
  const txHash = chain.normalizeHash(input.txHash)
  if (txHash === undefined) throw validationError('txHash', `is not a transaction hash of ${chain.network.blockchain}`)
  const unseen: LinkReport = { input, rules, txHash, lookup: undefined }
  const isClients = operation.executor === 'client'
  const landed =
    isClients && (await settleDeadLanding(parts, chain, operation, { ...input, txHash, source: rules.source }))
  if (landed) return landed
  const previous = await findPreviousResult(parts.db, operation, unseen)
  if (previous) return previous
  requireClientExecutor(operation)
  requireSubmittableCandidates(operation, unseen)

  const [lookup] = await chain.findTransactions([txHash])
  const report: LinkReport = { ...unseen, lookup }
  const target = requireTargetTransaction(operation, report, parts.clock.now())
  for (const passed of await filterPastBlocks(parts.db, chain, [lookup])) await settlePastBlock(parts, chain, passed)
  return transact((tx) => link(parts, chain, tx, { report, read: target }))
}

/** A landing of bytes that count as dead is settled whatever was linked before; `undefined` if the hash is of none. */
async function settleDeadLanding(
  parts: Parts,
  chain: Chain,
  operation: Operation,
  { txHash, source, ...input }: ReportedHash & Pick<LinkRules, 'source'>,
): Promise<SubmissionResult | undefined> {
  const dead = withDeadBytes(chain, operation).filter(
    ({ transactionId }) => transactionId === (input.transactionId ?? transactionId),
  )
  const [lookup] = dead.length > 0 ? await chain.findTransactions([txHash]) : []
  const transaction = lookup && dead.find((one) => matchesPlan(one, lookup))
  if (!transaction) return undefined
  const { operationId, transactionId } = transaction
  if (!(await reviveLanded(parts, chain, { operation, transactionId, lookup, source }))) return undefined
  for (const passed of await filterPastBlocks(parts.db, chain, [lookup])) await settlePastBlock(parts, chain, passed)
  return { transactionId, operationId, txHash }
}

/** Checks everything again under the wallet's lock: the follower may have linked the hash meanwhile. */
async function link(
  parts: Parts,
  chain: Chain,
  tx: Tx,
  { report, read }: { readonly report: LinkReport; readonly read: OperationTransaction },
): Promise<SubmissionResult> {
  const at = parts.clock.now()
  const { input, rules, txHash, lookup } = report
  const operation = await lockOperation(tx, input.scope, read.operationId)
  const previous = await findPreviousResult(tx, operation, report)
  if (previous) return previous
  const target = requireTargetTransaction(operation, report, at)
  const ended = !isUnfinished(operation.state)
  if (ended && (await hasLiveDuplicate(tx, operation, target))) throw hashTakenFailure()
  const linked = await linkHash(tx, {
    organizationId: operation.organizationId,
    blockchain: chain.network.blockchain,
    transactionId: target.transactionId,
    txHash,
    source: rules.source,
    at,
  })
  if (!linked) throw hashTakenFailure()
  if (!ended) await markSubmitted(unbatched(tx), operation, target, { event: 'submitted', txHash, at })
  // An ended operation keeps its state until the transaction is final, which is then a late landing (rule 2).
  const { organizationId, operationId } = operation
  const { transactionId } = target
  await recordTransactionHash(tx, { organizationId, transactionId }, txHash, lookup && at)
  return { transactionId, operationId, txHash }
}

/** The first result, if the hash is linked here. Error: OPERATION_ALREADY_SUBMITTED if it is linked elsewhere. */
async function findPreviousResult(
  db: Parts['db'] | Tx,
  operation: Operation,
  { input, txHash }: LinkReport,
): Promise<SubmissionResult | undefined> {
  const { organizationId, operationId, transactions } = operation
  const linked = await findLinkedHash(db, organizationId, transactions[0]!.blockchain, txHash)
  if (!linked) return undefined
  const { transactionId } = linked
  const isOwn = transactions.some((transaction) => transaction.transactionId === transactionId)
  if (isOwn && (input.transactionId ?? transactionId) === transactionId) return { transactionId, operationId, txHash }
  if (!isOwn && isUnfinished(operation.state) && (await hasEndedDuplicate(db, operation, transactionId)))
    return undefined
  throw hashTakenFailure()
}

/** The never submitted transactions that the hash may belong to, including those that failed with their operation. */
function requireSubmittableCandidates(operation: Operation, { input, rules }: LinkReport): OperationTransaction[] {
  const candidates = operation.transactions.filter(
    ({ transactionId }) => transactionId === (input.transactionId ?? transactionId),
  )
  if (candidates.length === 0) throw new Failure('TRANSACTION_NOT_FOUND')
  const unsubmitted = candidates.filter((transaction) => !isSubmitted(transaction))
  if (operation.state === 'COMPLETED' || unsubmitted.length === 0) {
    throw new Failure(rules.nothingLeftCode, { message: 'Nothing is left to submit.' })
  }
  return unsubmitted
}

/** The transaction that the hash belongs to, or may belong to. A match on the chain counts even after expiry. */
function requireTargetTransaction(operation: Operation, report: LinkReport, now: Date): OperationTransaction {
  const { rules, lookup } = report
  const candidates = requireSubmittableCandidates(operation, report)
  const matched = lookup && candidates.find((transaction) => matchesPlan(transaction, lookup))
  if (!matched && rules.source === 'hash') requireNotExpired(operation, now)
  if (lookup && !matched) {
    throw new Failure(rules.noMatchCode, {
      message: 'The transaction with this hash does not match the plan of this operation.',
    })
  }
  const target = matched ?? candidates[0]!
  // Dead bytes cannot have been broadcast in time.
  if (target.status === 'unsigned' && !target.canStillLand) throw nonceUsedFailure(operation.operationId)
  const earlier = operation.transactions.slice(0, target.position)
  // A landed transaction is accepted in any order. Otherwise order prevents a client from mixing transactions up.
  const mayBeOutOfOrder = matched && (rules.source === 'recover' || !isUnfinished(operation.state))
  if (!mayBeOutOfOrder && !earlier.every(isSubmitted)) {
    throw new Failure('INVALID_OPERATION_STATUS', {
      message: 'Submit the earlier transactions of the operation first.',
    })
  }
  return target
}

/** Whether the hash is linked to the same bytes of an operation that ended without them; it may then be relinked. */
async function hasEndedDuplicate(db: Parts['db'] | Tx, operation: Operation, transactionId: number): Promise<boolean> {
  const scope = { organizationId: operation.organizationId, walletProfileId: null }
  const other = await readOperationOfTransaction(db, scope, transactionId)
  const transaction = other.transactions.find((candidate) => candidate.transactionId === transactionId)!
  if (isUnfinished(other.state) || transaction.status !== 'failed') return false
  return operation.transactions.some((own) => isDuplicate(own, transaction))
}
