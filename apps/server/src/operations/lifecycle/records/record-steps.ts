import { recordMilestone, type Tx } from '../../../database/index.ts'
import type { Operation } from '../states/operation.ts'
import type { OperationEvent, Transition } from '../states/operation-states.ts'
import type { OperationTransaction } from '../states/transaction.ts'
import type { TransactionEvent } from '../states/transaction-states.ts'

/** The steps of an operation's life, for the log and the metrics (docs/logs.md). */

export function recordPlanned(tx: Tx, operation: Operation): void {
  const { type, origin, state } = operation
  recordMilestone(tx, { name: 'operation planned', facts: { ...factsOf(operation), type, origin, state } })
}

/** The name of the step of each event of an operation. */
export const OPERATION_STEPS: Readonly<Record<OperationEvent, string>> = {
  approval_required: 'operation waits for approval',
  ready: 'operation is executing',
  approved: 'operation approved',
  rejected: 'operation rejected',
  all_submitted: 'operation submitted',
  submission_refused: 'operation is executing again',
  all_final: 'operation settled',
  landed_late: 'operation settled late',
  chain_failed: 'operation failed',
  agent_failed: 'operation failed',
  expired: 'operation expired',
  cancelled: 'operation cancelled',
  superseded: 'operation superseded',
  aborted: 'operation aborted',
}

export function recordAdvanced(tx: Tx, operation: Operation, { event, to, failureReason }: Transition): void {
  const facts = { ...factsOf(operation), type: operation.type, state: to, reason: failureReason }
  recordMilestone(tx, { name: OPERATION_STEPS[event], facts })
}

function factsOf({ organizationId, operationId, walletId, executor, transactions }: Operation) {
  return { organizationId, operationId, walletId, executor, blockchain: transactions[0]?.blockchain }
}

type Identity = Pick<OperationTransaction, 'transactionId' | 'operationId' | 'blockchain'>

/** The values of a `TransactionChange` that a step names. */
interface Change {
  readonly event: TransactionEvent
  readonly bytes?: { readonly nonce: number | null }
  readonly txHash?: string
  readonly block?: { readonly blockNumber: number; readonly blockHash: string }
  readonly failure?: { readonly code: string }
}

/** A change of a transaction that somebody outside can notice; the death of bytes is not one. */
export function recordMoved(
  tx: Tx,
  { organizationId }: Pick<Operation, 'organizationId'>,
  transaction: OperationTransaction,
  change: Change,
): void {
  const step = stepOf(transaction, change)
  if (step) recordTransactionStep(tx, { organizationId, ...identityOf(transaction) }, step)
}

interface TransactionStep {
  readonly name: string
  readonly facts?: Readonly<Record<string, string | number | null | undefined>>
}

/** Any other step of a transaction. */
export function recordTransactionStep(
  tx: Tx,
  transaction: Identity & { readonly organizationId: number },
  { name, facts }: TransactionStep,
): void {
  const { organizationId, operationId, transactionId, blockchain } = transaction
  recordMilestone(tx, { name, facts: { organizationId, operationId, transactionId, blockchain, ...facts } })
}

const identityOf = ({ transactionId, operationId, blockchain }: Identity): Identity => ({
  transactionId,
  operationId,
  blockchain,
})

/** The name of the step of each event of a transaction that has one. */
export const TRANSACTION_STEPS: Readonly<Partial<Record<TransactionEvent, string>>> = {
  issued: 'transaction issued',
  replacement_issued: 'replacement issued',
  submitted: 'transaction submitted',
  refused: 'transaction refused',
  refused_after_end: 'transaction refused',
  included: 'transaction included',
  confirmed: 'transaction final',
  reverted: 'transaction reverted',
  failed: 'transaction failed',
  failed_for_good: 'transaction failed',
}

function stepOf(transaction: OperationTransaction, change: Change): TransactionStep | undefined {
  const name = TRANSACTION_STEPS[change.event]
  if (name === undefined) return undefined
  const { block, bytes, failure } = change
  // The follower finds a transaction in the same block more than once.
  if (change.event === 'included' && 'blockHash' in transaction && transaction.blockHash === block?.blockHash)
    return undefined
  const hash = change.txHash ?? ('txHash' in transaction ? transaction.txHash : undefined)
  return {
    name,
    facts: {
      ...(bytes ? { nonce: bytes.nonce } : hash && { hash }),
      ...(block && { block: block.blockNumber }),
      ...(failure && { code: failure.code }),
    },
  }
}
