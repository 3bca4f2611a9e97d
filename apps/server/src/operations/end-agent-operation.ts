import type { Tx } from '../database/index.ts'
import { post } from '../ledger/index.ts'
import { advance } from './advance.ts'
import type { OperationEvent } from './machine.ts'
import type { Operation } from './operation.ts'

/** Ends an operation that agents carry out, and gives back what it held; bytes of it stay watched. Under the lock. */
export async function endAgentOperation(
  tx: Tx,
  operation: Operation,
  event: Extract<OperationEvent, 'aborted' | 'agent_failed'>,
  explanation: string,
  at: Date,
): Promise<void> {
  const ended = await advance(tx, [{ operation, event, explanation }], at)
  await post(tx, ended.entries)
}
