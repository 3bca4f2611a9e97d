import type { Tx } from '../../database/index.ts'
import { post } from '../../ledger/index.ts'
import { advanceOperations } from './advance-operations.ts'
import type { Operation } from './operation.ts'
import { isUnfinished } from './operation-states.ts'

/** An agent's operation of which no bytes are out that could still land: it can end without consequences. */
export function isUnissued(operation: Operation): boolean {
  return (
    operation.executor === 'agent' &&
    isUnfinished(operation.state) &&
    operation.state !== 'CONFIRMING' &&
    operation.transactions.every(({ status, canStillLand }) => status === 'unsigned' && !canStillLand)
  )
}

/**
 * Ends untouched operations and gives back what they held. The caller holds the wallet's lock and has read them under
 * it. Returns what came back into `available`, in base units.
 */
export async function abortUnissued(
  tx: Tx,
  operations: readonly Operation[],
  explanation: string,
  at: Date,
): Promise<bigint> {
  const ended = await advanceOperations(
    tx,
    operations.map((operation) => ({ operation, event: 'aborted', explanation })),
    at,
  )
  await post(tx, ended.entries)
  return ended.entries
    .flatMap((entry) => entry.postings)
    .reduce((sum, { account, amount }) => (account === 'available' ? sum + amount : sum), 0n)
}
