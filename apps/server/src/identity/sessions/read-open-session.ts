import { sql } from 'kysely'
import type { FactorKind, Role } from '../../database/index.ts'
import { addMilliseconds } from '../../kernel/index.ts'
import { secretHashes } from '../keys/key-material.ts'
import type { RateLimitOverrides, UserCredential } from '../shared/credential.ts'
import type { IdentityParts } from '../shared/parts.ts'
import type { AccessClaims } from './access-token.ts'
import { openSince } from './session.ts'

/** The session to read: that of an access token, or that of a browser's cookie. */
type SessionLookup = AccessClaims | { readonly cookie: string }

interface SessionInUse {
  readonly credential: UserCredential
  readonly createdAt: Date
  readonly lastUsedAt: Date
}

/**
 * The user of an open session; `undefined` if it has ended or the user was removed. One statement reads session, user and
 * organization, so that a log-out, a new role or a removal takes effect with the next request (contract 3).
 */
export async function readOpenSession(
  parts: Pick<IdentityParts, 'db' | 'clock' | 'secrets' | 'sessionLimits' | 'factors'>,
  lookup: SessionLookup,
): Promise<SessionInUse | undefined> {
  const { createdAfter, usedAfter } = openSince(parts)
  const matches =
    'cookie' in lookup
      ? sql`cookie.token_hash = any(${secretHashes(parts.secrets.pepper, lookup.cookie)}) and cookie.is_cookie
          and cookie.expires_at > ${parts.clock.now()}`
      : sql`session.organization_id = ${lookup.organizationId} and session.id = ${lookup.sessionId}
          and member.id = ${lookup.userId}`
  const [cookieColumns, cookieJoin] =
    'cookie' in lookup
      ? [
          sql`cookie.token_hash as cookie_hash, cookie.used_at as cookie_replaced_at`,
          sql`join refresh_tokens cookie
            on cookie.organization_id = session.organization_id and cookie.session_id = session.id`,
        ]
      : [sql`null as cookie_hash, null as cookie_replaced_at`, sql``]
  const { rows } = await sql<SessionRow>`
    select session.organization_id, session.id, session.user_id, session.created_at, session.last_used_at,
      member.role, member.password_change_required, member.second_factors, session.factor_verified_at,
      organization.second_factor_required, organization.rate_limits, ${cookieColumns}
    from sessions session
    ${cookieJoin}
    join users member on member.organization_id = session.organization_id and member.id = session.user_id
    join organizations organization on organization.id = session.organization_id
    where ${matches} and session.revoked_at is null and member.removed_at is null and organization.deleted_at is null
      and session.created_at > ${createdAfter}
      and session.last_used_at > ${usedAfter}
  `.execute(parts.db)
  const row = rows[0]
  return row && { credential: credentialOf(row, parts), createdAt: row.created_at, lastUsedAt: row.last_used_at }
}

interface SessionRow {
  organization_id: number
  id: number
  user_id: number
  created_at: Date
  last_used_at: Date
  role: Role
  password_change_required: boolean
  second_factors: FactorKind[]
  factor_verified_at: Date | null
  second_factor_required: boolean
  rate_limits: RateLimitOverrides
  cookie_hash: Buffer | null
  cookie_replaced_at: Date | null
}

function credentialOf(row: SessionRow, parts: Pick<IdentityParts, 'clock' | 'factors'>): UserCredential {
  return {
    kind: 'user',
    organizationId: row.organization_id,
    userId: row.user_id,
    sessionId: row.id,
    role: row.role,
    ...(row.password_change_required ? { passwordChangeRequired: true as const } : {}),
    ...factorsOf(row, parts),
    ...(row.cookie_hash === null
      ? {}
      : { cookie: { hash: row.cookie_hash, isReplaced: row.cookie_replaced_at !== null } }),
    rateLimitOverrides: row.rate_limits,
  }
}

function factorsOf(
  { second_factors: kinds, factor_verified_at: verifiedAt, second_factor_required: isRequired }: SessionRow,
  { clock, factors }: Pick<IdentityParts, 'clock' | 'factors'>,
): Pick<UserCredential, 'secondFactor' | 'enrollmentRequired'> {
  if (kinds.length === 0) return isRequired ? { enrollmentRequired: true } : {}
  const isStale = verifiedAt === null || verifiedAt <= addMilliseconds(clock.now(), -factors.stepUpMs)
  return { secondFactor: { kinds, isStale } }
}
