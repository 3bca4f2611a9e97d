import type { Tx } from '../database/index.ts'
import { post } from '../ledger/index.ts'
import { advance } from './advance.ts'
import { isUnfinished } from './machine.ts'
import type { Operation } from './operation.ts'

/** An agent's operation of which no bytes are out that could still land: it can end without consequences. */
export function isUntouched(operation: Operation): boolean {
  return (
    operation.executor === 'agent' &&
    isUnfinished(operation.state) &&
    operation.state !== 'CONFIRMING' &&
    operation.transactions.every(({ state, watched }) => state === 'unsigned' && !watched)
  )
}

/**
 * Ends untouched operations and gives back what they held. The caller holds the wallet's lock and has read them under
 * it. Returns what came back into `available`, in base units.
 */
export async function abortUntouched(
  tx: Tx,
  operations: readonly Operation[],
  explanation: string,
  at: Date,
): Promise<bigint> {
  const ended = await advance(
    tx,
    operations.map((operation) => ({ operation, event: 'aborted', explanation })),
    at,
  )
  await post(tx, ended.entries)
  return ended.entries
    .flatMap((entry) => entry.postings)
    .reduce((sum, { account, amount }) => (account === 'available' ? sum + amount : sum), 0n)
}
