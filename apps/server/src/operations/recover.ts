import type { Tx } from '../database/index.ts'
import { linkReported, type ReportedHash } from './link-reported.ts'
import type { Parts } from './parts.ts'
import type { Submitted } from './submit-signed.ts'

/**
 * Links a transaction that was broadcast but never reported, because the client crashed in between. Works also on an
 * operation that expired, was cancelled or superseded: it completes when the transaction is final (specification 4.6,
 * decisions 6 and 8, money-rules 2).
 *
 * Errors: OPERATION_NOT_FOUND, INVALID_OPERATION_STATUS, VALIDATION_ERROR, OPERATION_ALREADY_SUBMITTED,
 * TRANSACTION_NOT_FOUND, CHAIN_UNAVAILABLE.
 */
export function recover(
  parts: Parts,
  input: ReportedHash,
  finish?: (tx: Tx, submitted: Submitted) => Promise<void>,
): Promise<Submitted> {
  const rules = {
    source: 'recover',
    nothingLeft: 'INVALID_OPERATION_STATUS',
    noMatch: 'TRANSACTION_NOT_FOUND',
  } as const
  return linkReported(parts, input, rules, finish)
}
