import { sql } from 'kysely'
import type { AccountTokenPurpose, Retention, Tx } from '../../database/index.ts'
import {
  addMilliseconds,
  EMAIL_VERIFICATION_LIFETIME_MS,
  ENDED_TOKENS_RETENTION_MS,
  Failure,
  PASSWORD_RESET_LIFETIME_MS,
  randomBase62,
} from '../../kernel/index.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { tokenHash } from '../shared/token-hash.ts'

/** 36 base62 characters are 214 bits: too many to guess, so a fast hash is enough. */
const TOKEN_LENGTH = 36

export const TOKEN_LIFETIMES: Readonly<Record<AccountTokenPurpose, number>> = {
  password_reset: PASSWORD_RESET_LIFETIME_MS,
  email_verification: EMAIL_VERIFICATION_LIFETIME_MS,
  registration: EMAIL_VERIFICATION_LIFETIME_MS,
}

/** A token's first letters say what it is for, so that a leaked one is recognized. */
const PREFIXES: Readonly<Record<AccountTokenPurpose | 'member_invitation', string>> = {
  password_reset: 'reset_',
  email_verification: 'verify_',
  registration: 'register_',
  member_invitation: 'join_',
}

interface User {
  readonly organizationId: number
  readonly id: number
}

export interface TokenGrant {
  readonly purpose: AccountTokenPurpose
  /** The address that gets the token, and that its use proves. */
  readonly email: string
  /** Absent for a registration. */
  readonly user?: User
  /** For a registration: seals what waits, under the token's hash. */
  readonly sealRegistration?: (label: string) => Buffer
}

/** A new token's text, which leaves the service once, and the hash that is stored. */
export function newToken(parts: Pick<IdentityParts, 'random'>, of: keyof typeof PREFIXES) {
  const text = `${PREFIXES[of]}${randomBase62(parts.random, TOKEN_LENGTH)}`
  return { text, hash: tokenHash(text) }
}

/** Stores a new token and returns its text for an email. Earlier tokens stay valid: emails arrive in any order. */
export async function issueToken(
  tx: Tx,
  parts: Pick<IdentityParts, 'clock' | 'random'>,
  { purpose, email, user, sealRegistration }: TokenGrant,
): Promise<string> {
  const { text, hash } = newToken(parts, purpose)
  const at = parts.clock.now()
  await tx
    .insertInto('account_tokens')
    .values({
      token_hash: hash,
      purpose,
      organization_id: user?.organizationId ?? null,
      user_id: user?.id ?? null,
      email,
      registration: sealRegistration?.(registrationLabel(hash)) ?? null,
      created_at: at,
      expires_at: addMilliseconds(at, TOKEN_LIFETIMES[purpose]),
    })
    .execute()
  return text
}

export interface ValidToken {
  readonly hash: Buffer
  readonly email: string
  readonly organizationId: number | null
  readonly userId: number | null
  readonly registration: Buffer | null
}

/**
 * Uses a token up, in the transaction of its effect: of two concurrent uses the second waits, and finds it used.
 * FORBIDDEN, with the same message, for a token that is unknown, used, expired or for something else.
 */
export async function consumeToken(
  tx: Tx,
  at: Date,
  { purpose, token }: { readonly purpose: AccountTokenPurpose; readonly token: string },
): Promise<ValidToken> {
  const row = await tx
    .updateTable('account_tokens')
    .set({ used_at: at })
    .where('token_hash', '=', tokenHash(token))
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', at)
    .returning([
      'token_hash as hash',
      'email',
      'organization_id as organizationId',
      'user_id as userId',
      'registration',
    ])
    .executeTakeFirst()
  if (row === undefined) throw invalidToken()
  return row
}

/** Ends all open tokens of a user: after a password reset, nothing that was sent before may change the account. */
export async function revokeTokens(tx: Tx, { organizationId, id }: User): Promise<void> {
  await tx
    .deleteFrom('account_tokens')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', id)
    .where('used_at', 'is', null)
    .execute()
}

/**
 * Ends the links that reset a user's password, when another one replaces it. The links that prove an address stay: they
 * are used with the password.
 */
export async function revokeResets(tx: Tx, { organizationId, id }: User): Promise<void> {
  await tx
    .deleteFrom('account_tokens')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', id)
    .where('purpose', '=', 'password_reset')
    .where('used_at', 'is', null)
    .execute()
}

/** Tokens a day after their end. */
export function tokenRetention({ clock }: Pick<IdentityParts, 'clock'>): Retention {
  return {
    table: 'account_tokens',
    statement: (limit) => sql`
      delete from account_tokens where token_hash in (
        select token_hash from account_tokens
        where expires_at <= ${addMilliseconds(clock.now(), -ENDED_TOKENS_RETENTION_MS)}
        order by expires_at limit ${limit} for update skip locked)`,
  }
}

export function invalidToken(): Failure {
  return new Failure('FORBIDDEN', {
    message: 'This link is not valid: it was used, has expired, or never existed.',
    details: { reason: 'invalid_token' },
  })
}

/** A registration opens only under its own token. */
export function registrationLabel(hash: Buffer): string {
  return `registration ${hash.toString('hex')}`
}
