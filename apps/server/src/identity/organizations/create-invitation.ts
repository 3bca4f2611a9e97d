import type { Database } from '../../database/index.ts'
import {
  addMilliseconds,
  type Clock,
  INVITATION_LIFETIME_MS,
  type RandomSource,
  randomBase62,
} from '../../kernel/index.ts'
import { tokenHash } from '../shared/token-hash.ts'
import { validateEmail } from '../shared/validate-text.ts'

/** 36 base62 characters are 214 bits: too many to guess, so a fast hash is enough. */
const TOKEN_LENGTH = 36

export interface Invitation {
  /** Leaves the service once; only its hash is stored. */
  readonly token: string
  readonly expiresAt: Date
}

/**
 * Creates an invitation to register one organization, valid for a week. With `email` only that address can register
 * with it. VALIDATION_ERROR for a malformed address.
 */
export async function createInvitation(
  parts: { readonly db: Database; readonly clock: Clock; readonly random: RandomSource },
  input: { readonly email?: string } = {},
): Promise<Invitation> {
  const email = input.email === undefined ? null : validateEmail(input.email)
  const token = `inv_${randomBase62(parts.random, TOKEN_LENGTH)}`
  const at = parts.clock.now()
  const expiresAt = addMilliseconds(at, INVITATION_LIFETIME_MS)
  await parts.db
    .insertInto('registration_invitations')
    .values({ token_hash: tokenHash(token), email, created_at: at, expires_at: expiresAt })
    .execute()
  return { token, expiresAt }
}
