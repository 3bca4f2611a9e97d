import type { FailureReason } from '../../../database/index.ts'

/** Why a transaction failed (spec 7.4). */
export const TRANSACTION_FAILURE_CODES = [
  'REVERTED',
  'OUT_OF_GAS',
  'TIMEOUT',
  'NONCE_TOO_LOW',
  'INSUFFICIENT_FUNDS',
  'REPLACED',
  'DROPPED',
  'UNKNOWN',
] as const

/** Why an operation fails; the other reasons are those of operations that somebody ended. */
export const OPERATION_FAILURE_REASONS = ['EXPIRED', 'ONCHAIN', 'SUBMISSION'] as const satisfies FailureReason[]
