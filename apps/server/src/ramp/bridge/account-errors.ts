import { Failure, type Log, validationError } from '../../kernel/index.ts'
import { BridgeApiError } from './client.ts'
import { objectOf, textOf } from './json-fields.ts'

const NOT_VERIFIED = ['requires_active_kyc_status', 'has_not_accepted_tos', 'endorsement_requirement_not_met', 'frozen']
const DUPLICATES = ['duplicate_record', 'duplicate_liquidation_address']

/** Maps a partner error on opening an account to a failure the caller can act on. It never repeats what was sent. */
export function throwAccountError(log: Log, error: unknown): never {
  if (!(error instanceof BridgeApiError)) throw error
  const { status, code, body } = error
  const key = textOf(objectOf(body, 'source'), 'key') ?? ''
  log.warn({ status, code, key }, 'the banking partner refused to open an account')
  if (NOT_VERIFIED.includes(code)) throw new Failure('KYB_NOT_APPROVED', { cause: error })
  if (DUPLICATES.includes(code)) {
    const message = 'The banking partner allows only one deposit address per bank account, blockchain and token.'
    throw new Failure('CONFLICT', { message, cause: error })
  }
  if (/account|routing|bank/.test(key)) throw validationError('bank_details', 'were rejected by the banking partner')
  if (/currency|chain|payment_rail/.test(key)) throw new Failure('ASSET_NOT_SUPPORTED', { cause: error })
  throw new Failure('RAMP_UNAVAILABLE', { cause: error })
}
