import { inTransaction, type Tx } from '../../database/index.ts'
import { countForAddress } from '../attempts/login-attempts.ts'
import { hashSecret } from '../keys/key-material.ts'
import type { IdentityParts } from '../shared/parts.ts'

/** A counted use of a token that was sent by mail. */
export interface TokenAttempt {
  readonly at: Date
  readonly perAddress: Buffer
}

/**
 * Counts a use of a mailed token before it is checked: ten wrong ones in fifteen minutes from one network, then
 * RATE_LIMIT_EXCEEDED. No token can be guessed; the limit bounds the cost of trying, which is a password hash.
 */
export async function recordTokenAttempt(
  parts: Pick<IdentityParts, 'db' | 'clock' | 'secrets'>,
  address: string,
): Promise<TokenAttempt> {
  const attempt = { at: parts.clock.now(), perAddress: hashSecret(parts.secrets.pepper, `token\n${address}`) }
  await inTransaction(parts.db, (tx) => countForAddress(tx, attempt))
  return attempt
}

/** The token was valid: the network starts again with no failure. */
export async function clearTokenAttempt(tx: Tx, { perAddress }: TokenAttempt): Promise<void> {
  await tx.deleteFrom('login_attempts').where('subject', '=', perAddress).execute()
}
