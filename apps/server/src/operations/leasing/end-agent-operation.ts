import type { Tx } from '../../database/index.ts'
import { post } from '../../ledger/index.ts'
import { advanceOperations } from '../lifecycle/advance-operations.ts'
import type { Operation } from '../lifecycle/operation.ts'
import type { OperationEvent } from '../lifecycle/operation-states.ts'

/**
 * Ends an operation that agents execute and releases its reservation. Its issued bytes remain tracked. The caller holds
 * the wallet's lock.
 */
export async function endAgentOperation(
  tx: Tx,
  operation: Operation,
  event: Extract<OperationEvent, 'aborted' | 'agent_failed'>,
  explanation: string,
  at: Date,
): Promise<void> {
  const ended = await advanceOperations(tx, [{ operation, event, explanation }], at)
  await post(tx, ended.entries)
}
