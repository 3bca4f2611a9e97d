import type { Role, Tx } from '../../database/index.ts'
import { ACCESS_TOKEN_SECONDS, addMilliseconds, REFRESH_TOKEN_SECONDS, randomBase62 } from '../../kernel/index.ts'
import { hashSecret } from '../keys/key-material.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { signAccessToken } from './access-token.ts'

/** A user and their organization, as presented to the user. */
export interface Account {
  readonly user: { readonly id: number; readonly email: string; readonly name: string | null; readonly role: Role }
  readonly organization: { readonly id: number; readonly name: string }
}

/** The result of register, login and refresh (contract 3). */
export interface SessionWithTokens extends Account {
  readonly accessToken: string
  /** Seconds. */
  readonly expiresIn: number
  readonly refreshToken: string
}

type SessionParts = Pick<IdentityParts, 'clock' | 'random' | 'secrets' | 'environment'>

/** 256 bits in base62. */
const REFRESH_TOKEN_LENGTH = 43

/** Starts a session: the family of refresh tokens that ends with a log-out or a reuse. */
export async function openSession(tx: Tx, parts: SessionParts, account: Account): Promise<SessionWithTokens> {
  const session = await tx
    .insertInto('sessions')
    .values({
      organization_id: account.organization.id,
      user_id: account.user.id,
      created_at: parts.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return await issueTokens(tx, parts, account, session.id)
}

/** Issues a new pair of tokens in an open session; the refresh token is stored as its keyed hash. */
export async function issueTokens(
  tx: Tx,
  parts: SessionParts,
  account: Account,
  sessionId: number,
): Promise<SessionWithTokens> {
  const refreshToken = randomBase62(parts.random, REFRESH_TOKEN_LENGTH)
  const organizationId = account.organization.id
  await tx
    .insertInto('refresh_tokens')
    .values({
      token_hash: hashSecret(parts.secrets.pepper, refreshToken),
      organization_id: organizationId,
      session_id: sessionId,
      expires_at: addMilliseconds(parts.clock.now(), REFRESH_TOKEN_SECONDS * 1_000),
    })
    .execute()
  const accessToken = await signAccessToken(parts, { organizationId, userId: account.user.id, sessionId })
  return { ...account, accessToken, expiresIn: ACCESS_TOKEN_SECONDS, refreshToken }
}
