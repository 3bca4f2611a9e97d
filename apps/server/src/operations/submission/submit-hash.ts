import { type Transact, transactOn } from '../../database/index.ts'
import type { Parts } from '../lifecycle/parts.ts'
import type { SubmissionResult } from '../transactions/broadcast-stored-bytes.ts'
import { linkReportedHash, type ReportedHash } from './link-reported-hash.ts'

/**
 * Links a transaction that the client broadcast itself. Hashes must come in the order of the operation's transactions
 * and before expiry (spec 4.6, contract 6). Once the operation has ended, a hash is accepted only if the chain has the
 * transaction.
 *
 * Errors: OPERATION_NOT_FOUND, INVALID_OPERATION_STATUS, VALIDATION_ERROR, OPERATION_ALREADY_SUBMITTED,
 * TRANSACTION_NOT_FOUND, OPERATION_EXPIRED, TRANSACTION_MISMATCH, CHAIN_UNAVAILABLE.
 */
export function submitHash(
  parts: Parts,
  input: ReportedHash,
  transact: Transact<SubmissionResult> = transactOn(parts.db),
): Promise<SubmissionResult> {
  const rules = {
    source: 'hash',
    nothingLeftCode: 'OPERATION_ALREADY_SUBMITTED',
    noMatchCode: 'TRANSACTION_MISMATCH',
  } as const
  return linkReportedHash(parts, input, rules, transact)
}
