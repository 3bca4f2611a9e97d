import { type Transact, type Tx, transactOn } from '../../database/index.ts'
import { Failure, type Refusal } from '../../kernel/index.ts'
import { secretHashes } from '../keys/key-material.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { findAccount } from './find-account.ts'
import { clientColumns, issueTokens, openSince, type SessionClient, type SessionWithTokens } from './session.ts'

export interface Refresh {
  readonly refreshToken: string
  readonly client?: SessionClient
}

type RefreshParts = Pick<IdentityParts, 'db' | 'clock' | 'random' | 'secrets' | 'environment' | 'sessionLimits'>

/**
 * Exchanges a refresh token for new tokens; the refresh token is then consumed. A token that is used twice was copied: its
 * session ends with all its tokens (contract 3). UNAUTHORIZED for a token that is unknown, expired, consumed, or of an
 * ended session; a session ends when it was not used for `idleMs`, and at the latest `maxMs` after its login.
 *
 * Of two concurrent uses, the later one waits for the row, finds the token consumed, and ends the session.
 */
export async function refreshSession(
  parts: RefreshParts,
  { refreshToken, client }: Refresh,
  transact: Transact<SessionWithTokens> = transactOn(parts.db),
): Promise<SessionWithTokens> {
  const hashes = secretHashes(parts.secrets.pepper, refreshToken)
  const failure = new Failure('UNAUTHORIZED', { message: 'The refresh token is not valid.' })
  try {
    return await transact(async (tx) => {
      const consumed = await consumeToken(tx, parts, hashes)
      const session = consumed && (await touchSession(tx, parts, consumed, client))
      const found = consumed && (await findAccount(tx, consumed))
      if (session === undefined || found === undefined) throw failure
      return issueTokens(tx, parts, found.account, session)
    })
  } catch (error) {
    // The failure rolls its transaction back, but ending the session must commit.
    if (error !== failure) throw error
    const refusal = await revokeSession(parts, hashes)
    throw new Failure('UNAUTHORIZED', { message: failure.message, refusal })
  }
}

async function consumeToken(tx: Tx, parts: Pick<IdentityParts, 'clock'>, hashes: readonly Buffer[]) {
  const now = parts.clock.now()
  return await tx
    .updateTable('refresh_tokens')
    .set({ used_at: now })
    .where('token_hash', 'in', hashes)
    .where('used_at', 'is', null)
    .where('is_cookie', '=', false)
    .where('expires_at', '>', now)
    .returning(['organization_id as organizationId', 'session_id as sessionId'])
    .executeTakeFirst()
}

/** Records the use of an open session within its limits; `undefined` for any other. */
async function touchSession(
  tx: Tx,
  parts: Pick<IdentityParts, 'clock' | 'sessionLimits'>,
  { organizationId, sessionId }: { readonly organizationId: number; readonly sessionId: number },
  client: SessionClient | undefined,
) {
  const { createdAfter, usedAfter } = openSince(parts)
  return await tx
    .updateTable('sessions')
    .set({ last_used_at: parts.clock.now(), ...clientColumns(client) })
    .where('organization_id', '=', organizationId)
    .where('id', '=', sessionId)
    .where('revoked_at', 'is', null)
    .where('created_at', '>', createdAfter)
    .where('last_used_at', '>', usedAfter)
    .returning(['id', 'created_at as createdAt'])
    .executeTakeFirst()
}

/** Ends the session of a token that was consumed before. */
async function revokeSession(parts: Pick<IdentityParts, 'db' | 'clock'>, hashes: readonly Buffer[]): Promise<Refusal> {
  const ended = await parts.db
    .updateTable('sessions')
    .from('refresh_tokens')
    .set({ revoked_at: parts.clock.now() })
    .where('refresh_tokens.token_hash', 'in', hashes)
    .where('refresh_tokens.used_at', 'is not', null)
    // A cookie that was replaced is no refresh token, and its copy must not end the session.
    .where('refresh_tokens.is_cookie', '=', false)
    .whereRef('sessions.organization_id', '=', 'refresh_tokens.organization_id')
    .whereRef('sessions.id', '=', 'refresh_tokens.session_id')
    .where('sessions.revoked_at', 'is', null)
    .returning(['sessions.organization_id as organizationId', 'sessions.user_id as userId'])
    .executeTakeFirst()
  if (ended === undefined) return { reason: 'invalid_refresh_token' }
  const { organizationId, userId } = ended
  return { reason: 'refresh_token_reused', organizationId, actor: { type: 'user', id: userId } }
}
