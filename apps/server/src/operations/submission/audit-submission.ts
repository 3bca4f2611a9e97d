import type { Tx } from '../../database/index.ts'
import { type AuditedActor, queueAuditEntry } from '../../identity/index.ts'
import type { OperationTransaction } from '../lifecycle/states/transaction.ts'

/** Who submits bytes, and what the entry names: clients submit for an operation, agents a transaction. */
export interface AuditedSubmission {
  readonly by: AuditedActor
  readonly objectType: 'operation' | 'transaction'
}

interface SubmittedTransaction extends Pick<OperationTransaction, 'operationId' | 'transactionId'> {
  readonly organizationId: number
  readonly at: Date
}

/** Queues the audit entry of a submission in the transaction that stores its bytes: they are sent right after it. */
export async function auditSubmission(
  tx: Tx,
  audited: AuditedSubmission | undefined,
  { organizationId, operationId, transactionId, at }: SubmittedTransaction,
): Promise<void> {
  if (audited === undefined) return
  const { by, objectType } = audited
  const { type, id, request } = by
  if (request === undefined) return
  const objectId = objectType === 'operation' ? operationId : transactionId
  await queueAuditEntry(tx, { organizationId, actor: { type, id }, ...request, objectType, objectId, at })
}
