import type { OperationState } from '../../../database/index.ts'

/** The status that v1 shows for each state (contract 8). */
export const CLIENT_STATUS = {
  PLANNING: 'PENDING',
  PENDING_APPROVAL: 'PENDING',
  EXECUTING: 'AWAITING_SIGNATURE',
  CONFIRMING: 'SUBMITTED',
  COMPLETED: 'CONFIRMED',
  FAILED: 'FAILED',
  REJECTED: 'FAILED',
  ABORTED: 'FAILED',
} as const satisfies Record<OperationState, string>
