import type { Tx } from '../../database/index.ts'
import { post } from '../../ledger/index.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import type { OperationEvent } from '../lifecycle/states/operation-states.ts'
import { advanceOperations } from '../lifecycle/transitions/advance-operations.ts'

export interface AgentOperationEnd {
  readonly operation: Operation
  readonly event: Extract<OperationEvent, 'aborted' | 'agent_failed'>
  readonly explanation: string
  readonly at: Date
}

/**
 * Ends an operation that agents execute and releases its reservation. Its issued bytes remain tracked. The caller holds
 * the wallet's lock.
 */
export async function endAgentOperation(
  tx: Tx,
  { operation, event, explanation, at }: AgentOperationEnd,
): Promise<void> {
  const ended = await advanceOperations(tx, [{ operation, event, explanation }], at)
  await post(tx, ended.entries)
}
