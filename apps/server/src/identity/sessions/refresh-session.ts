import { type Transact, type Tx, transactOn } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import { secretHash } from '../keys/key-material.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { findAccount } from './find-account.ts'
import { issueTokens, type SessionWithTokens } from './session.ts'

/**
 * New tokens for a refresh token, which is spent by that. A token that comes a second time was copied: the session with
 * all its tokens ends, whoever holds them (contract 3). UNAUTHORIZED for a token that is unknown, expired, spent, or of
 * a session that ended.
 *
 * Two uses at once are a first and a second: the later waits for the row, finds it spent, and ends the session.
 */
export async function refreshSession(
  parts: Pick<IdentityParts, 'db' | 'clock' | 'random' | 'secrets' | 'environment'>,
  refreshToken: string,
  transact: Transact<SessionWithTokens> = transactOn(parts.db),
): Promise<SessionWithTokens> {
  const tokenHash = secretHash(parts.secrets.pepper, refreshToken)
  const refused = new Failure('UNAUTHORIZED', { message: 'The refresh token is not valid.' })
  try {
    return await transact(async (tx) => {
      const spent = await consumeToken(tx, parts, tokenHash)
      const found =
        spent && (await findAccount(tx, { organizationId: spent.organization_id, sessionId: spent.session_id }))
      if (found === undefined) throw refused
      return issueTokens(tx, parts, found.account, spent!.session_id)
    })
  } catch (error) {
    // The refusal rolls its transaction back; ending the session is an effect that must commit.
    if (error === refused) await revokeSession(parts, tokenHash)
    throw error
  }
}

async function consumeToken(tx: Tx, parts: Pick<IdentityParts, 'clock'>, tokenHash: Buffer) {
  const now = parts.clock.now()
  return await tx
    .updateTable('refresh_tokens')
    .set({ used_at: now })
    .where('token_hash', '=', tokenHash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['organization_id', 'session_id'])
    .executeTakeFirst()
}

async function revokeSession(parts: Pick<IdentityParts, 'db' | 'clock'>, tokenHash: Buffer): Promise<void> {
  await parts.db
    .updateTable('sessions')
    .from('refresh_tokens')
    .set({ revoked_at: parts.clock.now() })
    .where('refresh_tokens.token_hash', '=', tokenHash)
    .where('refresh_tokens.used_at', 'is not', null)
    .whereRef('sessions.organization_id', '=', 'refresh_tokens.organization_id')
    .whereRef('sessions.id', '=', 'refresh_tokens.session_id')
    .where('sessions.revoked_at', 'is', null)
    .execute()
}
