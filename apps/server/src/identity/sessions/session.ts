import type { Role, Tx } from '../../database/index.ts'
import { ACCESS_TOKEN_SECONDS, addMilliseconds, USER_AGENT_LENGTH_MAX } from '../../kernel/index.ts'
import { hashSecret } from '../keys/key-material.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { newSessionToken } from '../shared/session-token.ts'
import { signAccessToken } from './access-token.ts'

/** A user and their organization, as presented to the user. */
export interface Account {
  readonly user: { readonly id: number; readonly email: string; readonly name: string | null; readonly role: Role }
  readonly organization: { readonly id: number; readonly name: string }
  /** Somebody else set the password: nothing but a new password is accepted. */
  readonly passwordChangeRequired?: true
}

/** Where a session is used from. */
export interface SessionClient {
  readonly address: string
  readonly userAgent?: string | undefined
  /** A browser, which keeps the session in a cookie and gets no tokens to hold. */
  readonly isBrowser?: boolean
}

/** The result of register, login and refresh (contract 3). */
export interface SessionWithTokens extends Account {
  readonly accessToken: string
  /** Seconds. */
  readonly expiresIn: number
  /** Of a browser's session, the value of its cookie. */
  readonly refreshToken: string
}

type SessionParts = Pick<IdentityParts, 'clock' | 'random' | 'secrets' | 'environment' | 'sessionLimits'>

/** Starts a session: the family of refresh tokens that ends with a log-out or a reuse. */
export async function openSession(
  tx: Tx,
  parts: SessionParts,
  account: Account,
  client?: SessionClient & { readonly factorVerifiedAt?: Date },
): Promise<SessionWithTokens> {
  const now = parts.clock.now()
  const session = await tx
    .insertInto('sessions')
    .values({
      organization_id: account.organization.id,
      user_id: account.user.id,
      created_at: now,
      last_used_at: now,
      ...clientColumns(client),
      factor_verified_at: client?.factorVerifiedAt ?? null,
    })
    .returning(['id', 'created_at as createdAt'])
    .executeTakeFirstOrThrow()
  return await issueTokens(tx, parts, account, { ...session, isCookie: client?.isBrowser === true })
}

/** A session is open only if it began and was last used after these times. */
export function openSince({ clock, sessionLimits }: Pick<IdentityParts, 'clock' | 'sessionLimits'>) {
  const now = clock.now()
  return {
    createdAfter: addMilliseconds(now, -sessionLimits.maxMs),
    usedAfter: addMilliseconds(now, -sessionLimits.idleMs),
  }
}

/** When a session of this age ends unless it is used again. */
export function endOf({ clock, sessionLimits }: Pick<IdentityParts, 'clock' | 'sessionLimits'>, createdAt: Date): Date {
  return new Date(Math.min(clock.now().getTime() + sessionLimits.idleMs, createdAt.getTime() + sessionLimits.maxMs))
}

/** The columns that say where a session is used from; none if it is not known. */
export function clientColumns(client: SessionClient | undefined) {
  return client && { address: client.address, user_agent: client.userAgent?.slice(0, USER_AGENT_LENGTH_MAX) ?? null }
}

/**
 * Issues a new pair of tokens in an open session; the refresh token is stored as its keyed hash. With `isCookie` it is
 * the value of a browser's cookie instead.
 */
export async function issueTokens(
  tx: Tx,
  parts: SessionParts,
  account: Account,
  session: { readonly id: number; readonly createdAt: Date; readonly isCookie?: boolean },
): Promise<SessionWithTokens> {
  const refreshToken = newSessionToken(parts.random)
  const organizationId = account.organization.id
  await tx
    .insertInto('refresh_tokens')
    .values({
      token_hash: hashSecret(parts.secrets.pepper, refreshToken),
      pepper_id: parts.secrets.pepper.currentId,
      organization_id: organizationId,
      session_id: session.id,
      expires_at: endOf(parts, session.createdAt),
      is_cookie: session.isCookie ?? false,
    })
    .execute()
  const accessToken = await signAccessToken(parts, { organizationId, userId: account.user.id, sessionId: session.id })
  return { ...account, accessToken, expiresIn: ACCESS_TOKEN_SECONDS, refreshToken }
}
