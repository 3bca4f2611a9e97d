import type { OperationState } from '../../../database/index.ts'
import { type Operation, publicTypeOf } from '../states/operation.ts'

/** What the outbox stores about an operation at the moment of a change: values that later changes would overwrite. */
export interface OperationEventData extends Record<string, unknown> {
  readonly operationId: number
  readonly type: 'SUPPLY' | 'UNWIND'
  readonly status: OperationState
  readonly walletId: number
  readonly strategyId: number
  /**
   * Base units: of a whole position its value when it was planned, until the settled amount is known. `null`: it was
   * planned before that value was stored.
   */
  readonly amount: string | null
  /** Revocations only: the allowance, in base units. */
  readonly revokesAllowance?: string
  readonly failureReason?: string
  /** From its transactions; `advance-operations.ts` adds it from their rows. */
  readonly txHash?: string
  readonly failureCode?: string
}

/** `settledAmount`: the amount that moved on chain, once it is known. */
export function operationEventData(
  operation: Pick<Operation, 'operationId' | 'type' | 'walletId' | 'strategyId' | 'amount' | 'plannedValue'>,
  state: OperationState,
  failureReason: string | undefined,
  settledAmount?: bigint,
): OperationEventData {
  return {
    operationId: operation.operationId,
    type: publicTypeOf(operation.type),
    status: state,
    walletId: operation.walletId,
    strategyId: operation.strategyId,
    ...(operation.type === 'REVOKE'
      ? { amount: '0', revokesAllowance: String(operation.amount) }
      : { amount: (operation.amount ?? settledAmount ?? operation.plannedValue)?.toString() ?? null }),
    ...(failureReason ? { failureReason } : {}),
  }
}
