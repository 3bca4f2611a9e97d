import { type Transact, transactOn } from '../../database/index.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { normalizeEmail } from '../shared/validate-text.ts'
import { storeAddressRequest } from './address-request.ts'

/**
 * Requests an email that resets the password of an address's account. Nothing shows whether there is one. FORBIDDEN
 * without a mail server.
 */
export async function requestPasswordReset(
  parts: Pick<IdentityParts, 'db' | 'clock' | 'mail'>,
  email: string,
  transact: Transact<void> = transactOn(parts.db),
): Promise<void> {
  // PostgreSQL text cannot contain a NUL, so no account has such an address, and none is looked up.
  const address = normalizeEmail(email).replaceAll('\0', '')
  await storeAddressRequest(parts, { kind: 'password_reset', email: address }, transact)
}
