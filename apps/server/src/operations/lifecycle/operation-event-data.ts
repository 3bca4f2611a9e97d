import type { OperationState } from '../../database/index.ts'
import type { Operation } from './operation.ts'

/** What the outbox stores about an operation at the moment of a change: values that later changes would overwrite. */
export interface OperationEventData extends Record<string, unknown> {
  readonly operationId: number
  readonly type: Operation['type']
  readonly status: OperationState
  readonly walletId: number
  readonly strategyId: number
  /** Base units; `null` for a whole position until the settled amount is known. */
  readonly amount: string | null
  readonly failureReason?: string
  /** From its transactions; `advance-operations.ts` adds it from their rows. */
  readonly txHash?: string
  readonly failureCode?: string
}

/** `settledAmount`: the amount that moved on chain, once it is known. */
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
