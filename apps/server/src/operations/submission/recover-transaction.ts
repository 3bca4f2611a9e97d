import { type Transact, transactOn } from '../../database/index.ts'
import type { Parts } from '../lifecycle/parts.ts'
import type { SubmissionResult } from '../transactions/broadcast-stored-bytes.ts'
import { linkReportedHash, type ReportedHash } from './link-reported-hash.ts'

/**
 * Links a transaction that was broadcast but never reported, because the client crashed in between. An operation that
 * expired, was cancelled or superseded is also accepted, and completes once the transaction is final (spec 4.6,
 * contract 6 and 8, rule 2).
 *
 * Errors: OPERATION_NOT_FOUND, INVALID_OPERATION_STATUS, VALIDATION_ERROR, OPERATION_ALREADY_SUBMITTED,
 * TRANSACTION_NOT_FOUND, CHAIN_UNAVAILABLE.
 */
export function recoverTransaction(
  parts: Parts,
  input: ReportedHash,
  transact: Transact<SubmissionResult> = transactOn(parts.db),
): Promise<SubmissionResult> {
  const rules = {
    source: 'recover',
    nothingLeftCode: 'INVALID_OPERATION_STATUS',
    noMatchCode: 'TRANSACTION_NOT_FOUND',
  } as const
  return linkReportedHash(parts, input, rules, transact)
}
