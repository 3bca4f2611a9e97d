import type { Chain, Signed } from '../chains/index.ts'
import { inTransaction, type Tx } from '../database/index.ts'
import type { Sight } from '../identity/index.ts'
import { Failure } from '../kernel/index.ts'
import { broadcastStored } from './broadcast-stored.ts'
import { getOperation } from './get-operation.ts'
import { linkLanded } from './link-landed.ts'
import { isUnfinished } from './machine.ts'
import { markSubmitted, staleFailure } from './mark-submitted.ts'
import { type Matched, matchSigned } from './match-signed.ts'
import type { Operation, OperationTransaction } from './operation.ts'
import { chainOf, type Parts } from './parts.ts'
import { readLocked } from './read-locked.ts'
import { endedFailure, requireClient, requireInTime, takenFailure } from './submittable.ts'
import { linkedHash, linkHash } from './transaction-hashes.ts'

export interface SubmitSigned {
  readonly sight: Sight
  readonly operationId: number
  readonly signedTransaction: string
  readonly transactionId?: number | undefined
  readonly txHash?: string | undefined
}

export interface Submitted {
  readonly transactionId: number
  readonly operationId: number
  readonly txHash: string
}

/**
 * Takes signed bytes, commits hash and bytes, then sends them (decisions 6, money-rules 5). What a node refuses for
 * certain leaves the operation as it was; what is uncertain is tracked. The same bytes twice get the first answer.
 *
 * Errors: OPERATION_NOT_FOUND, TRANSACTION_NOT_FOUND, INVALID_OPERATION_STATUS, VALIDATION_ERROR, TRANSACTION_MISMATCH,
 * OPERATION_EXPIRED, OPERATION_ALREADY_SUBMITTED, INSUFFICIENT_GAS, SIMULATION_FAILED, CHAIN_UNAVAILABLE.
 */
export async function submitSigned(
  parts: Parts,
  input: SubmitSigned,
  finish?: (tx: Tx, submitted: Submitted) => Promise<void>,
): Promise<Submitted> {
  const operation = await getOperation(parts, input.sight, input.operationId)
  requireClient(operation)
  return submitSignedOf(parts, operation, input, finish)
}

/** The same for an operation that was read, and that the caller may submit. */
export async function submitSignedOf(
  parts: Parts,
  operation: Operation,
  input: SubmitSigned,
  finish?: (tx: Tx, submitted: Submitted) => Promise<void>,
): Promise<Submitted> {
  const chain = chainOf(parts, operation.transactions[0]!.blockchain)
  const matched = await matchSigned(chain, operation, input.signedTransaction, input.transactionId)
  requireHash(chain, matched.signed, input.txHash)
  const submitted: Submitted = {
    transactionId: matched.transaction.transactionId,
    operationId: operation.operationId,
    txHash: matched.signed.hash,
  }
  const known = await linkedHash(parts.db, operation.organizationId, matched.transaction.blockchain, submitted.txHash)
  if (known?.transactionId === submitted.transactionId) return submitted
  if (!isUnfinished(operation.state)) {
    if (known) throw takenFailure()
    if (await linkLanded(parts, chain, operation, matched)) return submitted
    throw overFailure(operation)
  }

  await store(parts, input.sight, chain, matched)
  await broadcastStored(parts, chain, operation.organizationId, submitted, matched.signed.raw, finish)
  return submitted
}

/** Other bytes of what is done are told the same as while it was pending: that it was submitted (decisions 6). */
function overFailure(operation: Operation): Failure {
  return operation.state === 'COMPLETED' ? new Failure('OPERATION_ALREADY_SUBMITTED') : endedFailure(operation)
}

function requireHash(chain: Chain, signed: Signed, txHash: string | undefined): void {
  if (txHash === undefined || chain.normalizeHash(txHash) === signed.hash) return
  throw new Failure('TRANSACTION_MISMATCH', {
    message: 'txHash is not the hash of the signed transaction.',
    details: { fields: ['txHash'] },
  })
}

/** Commits hash and bytes before anything is sent, with everything checked again under the wallet's lock. */
async function store(parts: Parts, sight: Sight, chain: Chain, { transaction: read, signed }: Matched): Promise<void> {
  await inTransaction(parts.db, async (tx) => {
    const at = parts.clock.now()
    const operation = await readLocked(tx, sight, read.operationId)
    const transaction = operation.transactions[read.position]!
    // The same bytes, sent at the same moment, were stored by the other request: both get the same answer.
    if (transaction.txHash === signed.hash) return
    if (!isUnfinished(operation.state)) throw overFailure(operation)
    await requireSubmittable(parts, chain, tx, operation, transaction, signed)
    const linked = await linkHash(tx, {
      organizationId: operation.organizationId,
      blockchain: transaction.blockchain,
      transactionId: transaction.transactionId,
      txHash: signed.hash,
      source: 'signed',
      raw: signed.raw,
      at,
    })
    if (linked) return markSubmitted(tx, operation, transaction, signed.hash, at)
    const other = await linkedHash(tx, operation.organizationId, transaction.blockchain, signed.hash)
    if (other?.transactionId !== transaction.transactionId) throw takenFailure()
  })
}

/** In order, in time, and only once, except for a replacement that pays at least 10 % more (decisions 6). */
async function requireSubmittable(
  parts: Parts,
  chain: Chain,
  tx: Tx,
  operation: Operation,
  transaction: OperationTransaction,
  signed: Signed,
): Promise<void> {
  const earlier = operation.transactions.slice(0, transaction.position)
  if (earlier.some(({ submittedAt }) => submittedAt === null)) {
    throw new Failure('INVALID_OPERATION_STATUS', { message: 'An earlier transaction of the operation comes first.' })
  }
  if (transaction.state === 'unsigned') {
    if (!transaction.watched) throw staleFailure(operation.operationId)
    return requireInTime(operation, parts.clock.now())
  }
  if (transaction.state !== 'pending' || !(await paysMore(chain, tx, operation, transaction, signed))) {
    throw new Failure('OPERATION_ALREADY_SUBMITTED')
  }
}

async function paysMore(
  chain: Chain,
  tx: Tx,
  operation: Operation,
  transaction: OperationTransaction,
  signed: Signed,
): Promise<boolean> {
  const { txHash, blockchain } = transaction
  const current = txHash && (await linkedHash(tx, operation.organizationId, blockchain, txHash))
  // Of a transaction that the client sent itself we hold no bytes, so its fees are unknown to us.
  if (!current || current.raw === null) return false
  const before = await chain.checkSigned(current.raw, transaction)
  if (signed.family !== 'evm' || before.family !== 'evm') return false
  return (
    signed.maxFeePerGas * 10n >= before.maxFeePerGas * 11n &&
    signed.maxPriorityFeePerGas * 10n >= before.maxPriorityFeePerGas * 11n
  )
}
