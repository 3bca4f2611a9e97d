import { type Chain, isPlanned, type Sighting } from '../chains/index.ts'
import { inTransaction, type Tx } from '../database/index.ts'
import type { Sight } from '../identity/index.ts'
import { type ErrorCode, Failure, invalid } from '../kernel/index.ts'
import { getOperation } from './get-operation.ts'
import { isUnfinished } from './machine.ts'
import { markSubmitted, staleFailure } from './mark-submitted.ts'
import type { Operation, OperationTransaction } from './operation.ts'
import { chainOf, type Parts } from './parts.ts'
import { readLocked } from './read-locked.ts'
import { readOperationOfTransaction } from './read-operations.ts'
import { inPassedBlocks, settlePassedBlock } from './settle-passed-block.ts'
import type { Submitted } from './submit-signed.ts'
import { requireClient, requireInTime, takenFailure } from './submittable.ts'
import { linkedHash, linkHash } from './transaction-hashes.ts'
import { hasLivingTwin, isTwin } from './twins.ts'

/** A hash that the client broadcast itself, of one of the operation's transactions. */
export interface ReportedHash {
  readonly sight: Sight
  readonly operationId: number
  readonly txHash: string
  /** The transaction that it is. Otherwise matched by content, or the first one that was never submitted. */
  readonly transactionId?: number | undefined
}

/** In what the two verbs that take a hash differ. */
export interface ReportRules {
  readonly source: 'hash' | 'recover'
  /** Nothing is left that could be submitted. */
  readonly nothingLeft: ErrorCode
  /** The chain knows the hash, and it is none of the operation's transactions. */
  readonly noMatch: ErrorCode
}

interface Report {
  readonly input: ReportedHash
  readonly rules: ReportRules
  readonly txHash: string
  /** What a node shows under the hash. */
  readonly sighting: Sighting | undefined
}

/**
 * Links a hash that a client reports to the transaction of its plan (decisions 6, in the order of that section). What
 * the chain shows is compared with the plan at once; what it does not know yet is accepted, and judged by the follower
 * when it is in a block. A transaction that landed before the report is settled, also in a block that was passed.
 *
 * Errors: OPERATION_NOT_FOUND, INVALID_OPERATION_STATUS, VALIDATION_ERROR, OPERATION_ALREADY_SUBMITTED,
 * TRANSACTION_NOT_FOUND, OPERATION_EXPIRED, `rules.nothingLeft`, `rules.noMatch`, CHAIN_UNAVAILABLE.
 */
export async function linkReported(
  parts: Parts,
  input: ReportedHash,
  rules: ReportRules,
  finish?: (tx: Tx, submitted: Submitted) => Promise<void>,
): Promise<Submitted> {
  const operation = await getOperation(parts, input.sight, input.operationId)
  requireClient(operation)
  const chain = chainOf(parts, operation.transactions[0]!.blockchain)
  const txHash = chain.normalizeHash(input.txHash)
  if (txHash === undefined) throw invalid('txHash', `is not a transaction hash of ${chain.network.blockchain}`)
  const unseen: Report = { input, rules, txHash, sighting: undefined }
  const known = await linkedTo(parts.db, operation, unseen)
  if (known) return known
  candidatesOf(operation, unseen)

  const [sighting] = await chain.lookUp([txHash])
  const report: Report = { ...unseen, sighting }
  const target = targetOf(operation, report, parts.clock.now())
  for (const passed of await inPassedBlocks(parts.db, chain, [sighting])) await settlePassedBlock(parts, chain, passed)
  return inTransaction(parts.db, (tx) => link(parts, chain, tx, report, target, finish))
}

/** Everything is judged again under the wallet's lock: the watcher may have been quicker. */
async function link(
  parts: Parts,
  chain: Chain,
  tx: Tx,
  report: Report,
  read: OperationTransaction,
  finish: ((tx: Tx, submitted: Submitted) => Promise<void>) | undefined,
): Promise<Submitted> {
  const at = parts.clock.now()
  const { input, rules, txHash, sighting } = report
  const operation = await readLocked(tx, input.sight, read.operationId)
  const known = await linkedTo(tx, operation, report)
  if (known) {
    await finish?.(tx, known)
    return known
  }
  const target = targetOf(operation, report, at)
  const ended = !isUnfinished(operation.state)
  if (ended && (await hasLivingTwin(tx, operation, target))) throw takenFailure()
  const linked = await linkHash(tx, {
    organizationId: operation.organizationId,
    blockchain: chain.network.blockchain,
    transactionId: target.transactionId,
    txHash,
    source: rules.source,
    at,
  })
  if (!linked) throw takenFailure()
  if (!ended) await markSubmitted(tx, operation, target, txHash, at)
  // An operation that ended keeps its state until the transaction is final; then it lands late (money-rules 2).
  await tx
    .updateTable('transactions')
    .set({ tx_hash: txHash, ...(sighting ? { seen_at: at } : {}) })
    .where('organization_id', '=', operation.organizationId)
    .where('id', '=', target.transactionId)
    .execute()
  const submitted = { transactionId: target.transactionId, operationId: operation.operationId, txHash }
  await finish?.(tx, submitted)
  return submitted
}

/** The first answer again, for a hash that is linked here. Error: OPERATION_ALREADY_SUBMITTED when it is elsewhere. */
async function linkedTo(
  db: Parts['db'] | Tx,
  operation: Operation,
  { input, txHash }: Report,
): Promise<Submitted | undefined> {
  const { organizationId, operationId, transactions } = operation
  const known = await linkedHash(db, organizationId, transactions[0]!.blockchain, txHash)
  if (!known) return undefined
  const { transactionId } = known
  const isOwn = transactions.some((transaction) => transaction.transactionId === transactionId)
  if (isOwn && (input.transactionId ?? transactionId) === transactionId) return { transactionId, operationId, txHash }
  if (!isOwn && isUnfinished(operation.state) && (await hasEndedTwin(db, operation, transactionId))) return undefined
  throw takenFailure()
}

/** The transactions that may be meant and were never submitted; what failed with its operation only counts as such. */
function candidatesOf(operation: Operation, { input, rules }: Report): OperationTransaction[] {
  const named = operation.transactions.filter(
    ({ transactionId }) => transactionId === (input.transactionId ?? transactionId),
  )
  if (named.length === 0) throw new Failure('TRANSACTION_NOT_FOUND')
  const left = named.filter(({ submittedAt }) => submittedAt === null)
  if (operation.state === 'COMPLETED' || left.length === 0) {
    throw new Failure(rules.nothingLeft, { message: 'Every transaction that this could be was submitted already.' })
  }
  return left
}

/** The transaction that the hash is, or may be. A chain that shows the transaction is believed whatever the time. */
function targetOf(operation: Operation, report: Report, now: Date): OperationTransaction {
  const { rules, sighting } = report
  const left = candidatesOf(operation, report)
  const matched = sighting && left.find((transaction) => isPlanned(transaction, sighting))
  if (!matched && rules.source === 'hash') requireInTime(operation, now)
  if (sighting && !matched) {
    throw new Failure(rules.noMatch, { message: 'The transaction with this hash is not one that was planned here.' })
  }
  const target = matched ?? left[0]!
  // Bytes that are dead were never broadcast in time, whatever their hash.
  if (target.state === 'unsigned' && !target.watched) throw staleFailure(operation.operationId)
  const earlier = operation.transactions.slice(0, target.position)
  // What has landed has; but a client that reports in order cannot mistake one transaction for another.
  const mayJump = matched && (rules.source === 'recover' || !isUnfinished(operation.state))
  if (!mayJump && earlier.some(({ submittedAt }) => submittedAt === null)) {
    throw new Failure('INVALID_OPERATION_STATUS', { message: 'An earlier transaction of the operation comes first.' })
  }
  return target
}

/** The hash stands for the same bytes of an operation that ended without it: then it may be taken over. */
async function hasEndedTwin(db: Parts['db'] | Tx, operation: Operation, transactionId: number): Promise<boolean> {
  const sight = { organizationId: operation.organizationId, walletProfileId: null }
  const other = await readOperationOfTransaction(db, sight, transactionId)
  const transaction = other.transactions.find((candidate) => candidate.transactionId === transactionId)!
  if (isUnfinished(other.state) || transaction.state !== 'failed') return false
  return operation.transactions.some((own) => isTwin(own, transaction))
}
