import type { OperationState } from '../../database/index.ts'
import type { Operation } from './operation.ts'

/** What the outbox keeps of an operation at the moment of a change: facts that later changes would overwrite. */
export interface OperationEventData extends Record<string, unknown> {
  readonly operationId: number
  readonly type: Operation['type']
  readonly status: OperationState
  readonly walletId: number
  readonly strategyId: number
  /** Base units; null for a whole position until what really moved is known. */
  readonly amount: string | null
  readonly failureReason?: string
  /** Of its transactions, where they have one: added from the rows as they stand (advance.ts). */
  readonly txHash?: string
  readonly failureCode?: string
}

/** `settledAmount`: what really moved, once that is known. */
export function operationEventData(
  operation: Pick<Operation, 'operationId' | 'type' | 'walletId' | 'strategyId' | 'amount'>,
  state: OperationState,
  failureReason: string | undefined,
  settledAmount?: bigint,
): OperationEventData {
  return {
    operationId: operation.operationId,
    type: operation.type,
    status: state,
    walletId: operation.walletId,
    strategyId: operation.strategyId,
    amount: (operation.amount ?? settledAmount)?.toString() ?? null,
    ...(failureReason ? { failureReason } : {}),
  }
}
