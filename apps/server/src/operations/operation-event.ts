import type { OperationState } from '../database/index.ts'
import type { Operation } from './operation.ts'

/** What the outbox keeps of an operation at the moment of a change: facts that later changes would overwrite. */
export function operationEventData(
  operation: Pick<Operation, 'operationId' | 'type' | 'walletId' | 'strategyId' | 'amount'>,
  state: OperationState,
  failureReason: string | undefined,
): Record<string, unknown> {
  return {
    operationId: operation.operationId,
    type: operation.type,
    status: state,
    walletId: operation.walletId,
    strategyId: operation.strategyId,
    amount: operation.amount?.toString() ?? null,
    ...(failureReason ? { failureReason } : {}),
  }
}
