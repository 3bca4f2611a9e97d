import { sql } from 'kysely'
import type { BatchedCall, CallBatcher, Tx } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import { hasEnded, type Operation } from '../lifecycle/states/operation.ts'
import type { OperationTransaction } from '../lifecycle/states/transaction.ts'
import { ADVANCE_OPERATIONS } from '../lifecycle/transitions/advance-operations.ts'
import { ADVANCE_TRANSACTION, type TransactionChange } from '../lifecycle/transitions/advance-transactions.ts'

/** What submits a transaction: a report, or a block that contains it. */
type Submission = Extract<TransactionChange, { event: 'submitted' | 'included' }>

/**
 * Marks a transaction of an unfinished operation as pending, because it was submitted. With its last transaction the
 * operation becomes CONFIRMING. A replacement only changes the hash. The caller holds the lock.
 *
 * Error: OPERATION_EXPIRED if another of the wallet's transactions has taken the nonce meanwhile.
 */
export async function markSubmitted(
  calls: CallBatcher,
  operation: Operation,
  transaction: OperationTransaction,
  change: Submission,
): Promise<void> {
  if (await isNonceTaken(calls, operation, transaction)) throw nonceUsedFailure(operation.operationId)
  await recordSubmission(calls, operation, transaction, change)
}

/** The same for a caller that knows that the nonce is free. */
export async function recordSubmission(
  calls: CallBatcher,
  operation: Operation,
  transaction: OperationTransaction,
  change: Submission,
): Promise<void> {
  await calls.call(ADVANCE_TRANSACTION, { operation, transaction, change })
  const isLast = transaction.position === operation.transactions.length - 1
  if (isLast && operation.state === 'EXECUTING')
    await calls.call(ADVANCE_OPERATIONS, { requests: [{ operation, event: 'all_submitted' }], at: change.at })
}

/** The error for bytes that went stale before they were sent, with where to get new ones (contract 4). */
export function nonceUsedFailure(operationId: number): Failure {
  return new Failure('OPERATION_EXPIRED', {
    message: 'These bytes can no longer land: their nonce was used, or their blockhash expired.',
    details: { refresh: `/v1/operations/${operationId}/unsigned-transactions` },
  })
}

/** The error for a submission to an operation that has ended (contract 6). */
export function operationEndedFailure(operation: Operation): Failure {
  if (hasEnded(operation) && operation.failureReason === 'EXPIRED') return new Failure('OPERATION_EXPIRED')
  return new Failure('INVALID_OPERATION_STATUS', { message: 'The operation has ended.' })
}

/** Whether another of the wallet's transactions with this nonce is pending or confirmed. */
export async function isNonceTaken(
  calls: CallBatcher,
  { organizationId }: Pick<Operation, 'organizationId'>,
  { nonce, blockchain, sender, transactionId }: OperationTransaction,
): Promise<boolean> {
  if (nonce === null) return false
  return calls.call(FIND_TAKEN_NONCE, { organizationId, blockchain, sender, nonce, transactionId })
}

interface NonceOfTransaction {
  readonly organizationId: number
  readonly blockchain: string
  readonly sender: string
  readonly nonce: number
  readonly transactionId: number
}

const FIND_TAKEN_NONCE: BatchedCall<NonceOfTransaction, boolean> = { run: findTakenNonces }

async function findTakenNonces(tx: Tx, asked: readonly NonceOfTransaction[]): Promise<boolean[]> {
  const { rows } = await sql<{ place: number }>`
    select a.place
    from unnest(${asked.map((one) => one.organizationId)}::bigint[], ${asked.map((one) => one.blockchain)}::text[],
      ${asked.map((one) => one.sender)}::text[], ${asked.map((one) => one.nonce)}::bigint[],
      ${asked.map((one) => one.transactionId)}::bigint[])
      with ordinality as a(organization_id, blockchain, sender, nonce, id, place)
    where exists (select 1 from transactions t
      where t.organization_id = a.organization_id and t.blockchain = a.blockchain and t.sender = a.sender
        and t.nonce = a.nonce and t.state in ('pending', 'confirmed') and t.id <> a.id)
  `.execute(tx)
  const taken = new Set(rows.map(({ place }) => Number(place)))
  return asked.map((_, index) => taken.has(index + 1))
}
