import { type Chain, matchesPlan, type ObservedTransaction } from '../../chains/index.ts'
import type { Transact, Tx } from '../../database/index.ts'
import type { Scope } from '../../identity/index.ts'
import { type ErrorCode, Failure, validationError } from '../../kernel/index.ts'
import { getOperation } from '../lifecycle/get-operation.ts'
import { lockOperation } from '../lifecycle/lock-operation.ts'
import { recordTransactionHash } from '../lifecycle/move-transactions.ts'
import type { Operation } from '../lifecycle/operation.ts'
import { isUnfinished } from '../lifecycle/operation-states.ts'
import { chainOf, type Parts } from '../lifecycle/parts.ts'
import { readOperationOfTransaction } from '../lifecycle/read-operations.ts'
import { isSubmitted, type OperationTransaction } from '../lifecycle/transaction.ts'
import { filterPastBlocks, settlePastBlock } from '../settlement/settle-past-block.ts'
import { hasLiveDuplicate, isDuplicate } from '../transactions/duplicate-transactions.ts'
import { markSubmitted, nonceUsedFailure } from '../transactions/mark-submitted.ts'
import { findLinkedHash, linkHash } from '../transactions/transaction-hashes.ts'
import { hashTakenFailure, requireClientExecutor, requireNotExpired } from './require-submittable.ts'
import type { SubmissionResult } from './submit-signed.ts'

/** A hash that the client broadcast itself, of one of the operation's transactions. */
export interface ReportedHash {
  readonly scope: Scope
  readonly operationId: number
  readonly txHash: string
  /** The transaction that it is. Otherwise matched by content, or the first one that was never submitted. */
  readonly transactionId?: number | undefined
}

/** In what the two verbs that take a hash differ. */
interface LinkRules {
  readonly source: 'hash' | 'recover'
  /** Nothing is left that could be submitted. */
  readonly nothingLeftCode: ErrorCode
  /** The chain knows the hash, and it is none of the operation's transactions. */
  readonly noMatchCode: ErrorCode
}

interface LinkReport {
  readonly input: ReportedHash
  readonly rules: LinkRules
  readonly txHash: string
  /** What a node shows under the hash. */
  readonly sighting: ObservedTransaction | undefined
}

/**
 * Links a hash that a client reports to the transaction of its plan (contract 6, in the order of that section). What
 * the chain shows is compared with the plan at once; what it does not know yet is accepted, and judged by the follower
 * when it is in a block. A transaction that landed before the report is settled, also in a block that was passed.
 *
 * Errors: OPERATION_NOT_FOUND, INVALID_OPERATION_STATUS, VALIDATION_ERROR, OPERATION_ALREADY_SUBMITTED,
 * TRANSACTION_NOT_FOUND, OPERATION_EXPIRED, `rules.nothingLeft`, `rules.noMatch`, CHAIN_UNAVAILABLE.
 */
export async function linkReportedHash(
  parts: Parts,
  input: ReportedHash,
  rules: LinkRules,
  transact: Transact<SubmissionResult>,
): Promise<SubmissionResult> {
  const operation = await getOperation(parts, input.scope, input.operationId)
  requireClientExecutor(operation)
  const chain = chainOf(parts, operation.transactions[0]!.blockchain)
  const txHash = chain.normalizeHash(input.txHash)
  if (txHash === undefined) throw validationError('txHash', `is not a transaction hash of ${chain.network.blockchain}`)
  const unseen: LinkReport = { input, rules, txHash, sighting: undefined }
  const known = await linkedTo(parts.db, operation, unseen)
  if (known) return known
  matchingTransactions(operation, unseen)

  const [sighting] = await chain.findTransactions([txHash])
  const report: LinkReport = { ...unseen, sighting }
  const target = requireTargetTransaction(operation, report, parts.clock.now())
  for (const passed of await filterPastBlocks(parts.db, chain, [sighting])) await settlePastBlock(parts, chain, passed)
  return transact((tx) => link(parts, chain, tx, report, target))
}

/** Everything is judged again under the wallet's lock: the watcher may have been quicker. */
async function link(
  parts: Parts,
  chain: Chain,
  tx: Tx,
  report: LinkReport,
  read: OperationTransaction,
): Promise<SubmissionResult> {
  const at = parts.clock.now()
  const { input, rules, txHash, sighting } = report
  const operation = await lockOperation(tx, input.scope, read.operationId)
  const known = await linkedTo(tx, operation, report)
  if (known) return known
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
  if (!ended) await markSubmitted(tx, operation, target, { event: 'submitted', txHash, at })
  // An operation that ended keeps its state until the transaction is final; then it lands late (rule 2).
  const { organizationId, operationId } = operation
  const { transactionId } = target
  await recordTransactionHash(tx, { organizationId, transactionId }, txHash, sighting && at)
  return { transactionId, operationId, txHash }
}

/** The first answer again, for a hash that is linked here. Error: OPERATION_ALREADY_SUBMITTED when it is elsewhere. */
async function linkedTo(
  db: Parts['db'] | Tx,
  operation: Operation,
  { input, txHash }: LinkReport,
): Promise<SubmissionResult | undefined> {
  const { organizationId, operationId, transactions } = operation
  const known = await findLinkedHash(db, organizationId, transactions[0]!.blockchain, txHash)
  if (!known) return undefined
  const { transactionId } = known
  const isOwn = transactions.some((transaction) => transaction.transactionId === transactionId)
  if (isOwn && (input.transactionId ?? transactionId) === transactionId) return { transactionId, operationId, txHash }
  if (!isOwn && isUnfinished(operation.state) && (await hasEndedDuplicate(db, operation, transactionId)))
    return undefined
  throw hashTakenFailure()
}

/** The transactions that may be meant and were never submitted; what failed with its operation only counts as such. */
function matchingTransactions(operation: Operation, { input, rules }: LinkReport): OperationTransaction[] {
  const named = operation.transactions.filter(
    ({ transactionId }) => transactionId === (input.transactionId ?? transactionId),
  )
  if (named.length === 0) throw new Failure('TRANSACTION_NOT_FOUND')
  const left = named.filter((transaction) => !isSubmitted(transaction))
  if (operation.state === 'COMPLETED' || left.length === 0) {
    throw new Failure(rules.nothingLeftCode, { message: 'Every transaction that this could be was submitted already.' })
  }
  return left
}

/** The transaction that the hash is, or may be. A chain that shows the transaction is believed whatever the time. */
function requireTargetTransaction(operation: Operation, report: LinkReport, now: Date): OperationTransaction {
  const { rules, sighting } = report
  const left = matchingTransactions(operation, report)
  const matched = sighting && left.find((transaction) => matchesPlan(transaction, sighting))
  if (!matched && rules.source === 'hash') requireNotExpired(operation, now)
  if (sighting && !matched) {
    throw new Failure(rules.noMatchCode, {
      message: 'The transaction with this hash is not one that was planned here.',
    })
  }
  const target = matched ?? left[0]!
  // Bytes that are dead were never broadcast in time, whatever their hash.
  if (target.status === 'unsigned' && !target.canStillLand) throw nonceUsedFailure(operation.operationId)
  const earlier = operation.transactions.slice(0, target.position)
  // What has landed has; but a client that reports in order cannot mistake one transaction for another.
  const mayJump = matched && (rules.source === 'recover' || !isUnfinished(operation.state))
  if (!mayJump && !earlier.every(isSubmitted)) {
    throw new Failure('INVALID_OPERATION_STATUS', { message: 'An earlier transaction of the operation comes first.' })
  }
  return target
}

/** The hash stands for the same bytes of an operation that ended without it: then it may be taken over. */
async function hasEndedDuplicate(db: Parts['db'] | Tx, operation: Operation, transactionId: number): Promise<boolean> {
  const scope = { organizationId: operation.organizationId, walletProfileId: null }
  const other = await readOperationOfTransaction(db, scope, transactionId)
  const transaction = other.transactions.find((candidate) => candidate.transactionId === transactionId)!
  if (isUnfinished(other.state) || transaction.status !== 'failed') return false
  return operation.transactions.some((own) => isDuplicate(own, transaction))
}
