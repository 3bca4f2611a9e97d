import { Failure, type Log, validationError } from '../../kernel/index.ts'
import { BridgeApiError } from './client.ts'
import { objectOf, textOf } from './json-fields.ts'

const NOT_VERIFIED = ['requires_active_kyc_status', 'has_not_accepted_tos', 'endorsement_requirement_not_met', 'frozen']
const DUPLICATES = ['duplicate_record', 'duplicate_liquidation_address']

/** Why the partner opens no account, in our words: what the caller can do about it, never what he sent. */
export function throwAccountError(log: Log, error: unknown): never {
  if (!(error instanceof BridgeApiError)) throw error
  const { status, code, body } = error
  const key = textOf(objectOf(body, 'source'), 'key') ?? ''
  log.warn({ status, code, key }, 'the banking partner refuses to open an account')
  if (NOT_VERIFIED.includes(code)) throw new Failure('KYB_NOT_APPROVED', { cause: error })
  if (DUPLICATES.includes(code)) {
    const message = 'The banking partner keeps one deposit address for a bank account, blockchain and token.'
    throw new Failure('CONFLICT', { message, cause: error })
  }
  if (/account|routing|bank/.test(key)) throw validationError('bank_details', 'are refused by the banking partner')
  if (/currency|chain|payment_rail/.test(key)) throw new Failure('ASSET_NOT_SUPPORTED', { cause: error })
  throw new Failure('RAMP_UNAVAILABLE', { cause: error })
}
