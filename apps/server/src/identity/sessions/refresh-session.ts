import { inTransaction, type Tx } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import { secretHash } from '../keys/key-material.ts'
import type { Finish, IdentityParts } from '../shared/parts.ts'
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
  finish?: Finish<SessionWithTokens>,
): Promise<SessionWithTokens> {
  const tokenHash = secretHash(parts.secrets.pepper, refreshToken)
  // The refusal is thrown outside the transaction: ending the session is an effect that must commit.
  const signedIn = await inTransaction(parts.db, async (tx) => {
    const spent = await consumeToken(tx, parts, tokenHash)
    if (spent === undefined) {
      await revokeSession(tx, parts, tokenHash)
      return undefined
    }
    const found = await findAccount(tx, { organizationId: spent.organization_id, sessionId: spent.session_id })
    if (found === undefined) return undefined
    const result = await issueTokens(tx, parts, found.account, spent.session_id)
    await finish?.(tx, result)
    return result
  })
  if (signedIn === undefined) throw new Failure('UNAUTHORIZED', { message: 'The refresh token is not valid.' })
  return signedIn
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

async function revokeSession(tx: Tx, parts: Pick<IdentityParts, 'clock'>, tokenHash: Buffer): Promise<void> {
  await tx
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
