import type { CallBatcher } from '../../../database/index.ts'
import { POST } from '../../../ledger/index.ts'
import type { Operation } from '../states/operation.ts'
import { isUnfinished } from '../states/operation-states.ts'
import type { OperationTransaction } from '../states/transaction.ts'
import { ADVANCE_OPERATIONS } from './advance-operations.ts'

/** Whether an agent's operation has no outstanding bytes and nothing submitted, so ending it has no effect on chain. */
export function isUnissued(operation: Operation): boolean {
  return isWithAgent(operation) && operation.transactions.every(isWithoutBytes)
}

/**
 * Like {@link isUnissued}, except that its first transactions may be final, such as the approval before a deposit: no
 * other bytes can land. What the final ones left is seen to after it ended (ADR 144).
 */
export function isRestUnissued(operation: Operation): boolean {
  return (
    isWithAgent(operation) &&
    operation.transactions.every((transaction) => transaction.state === 'confirmed' || isWithoutBytes(transaction))
  )
}

const isWithAgent = ({ executor, state }: Operation): boolean =>
  executor === 'agent' && isUnfinished(state) && state !== 'CONFIRMING'

const isWithoutBytes = ({ status, canStillLand }: OperationTransaction): boolean =>
  status === 'unsigned' && !canStillLand

/**
 * Aborts operations without live bytes and releases their reservations. The caller holds the wallet's lock and has read the
 * operations under it. Returns the amount released to `available`, in base units.
 */
export async function abortUnissued(
  calls: CallBatcher,
  operations: readonly Operation[],
  explanation: string,
  at: Date,
): Promise<bigint> {
  if (operations.length === 0) return 0n
  const requests = operations.map((operation) => ({ operation, event: 'aborted', explanation }) as const)
  const { entries } = await calls.call(ADVANCE_OPERATIONS, { requests, at })
  if (entries.length > 0) await calls.call(POST, entries)
  return entries
    .flatMap((entry) => entry.postings)
    .reduce((sum, { account, amount }) => (account === 'available' ? sum + amount : sum), 0n)
}
