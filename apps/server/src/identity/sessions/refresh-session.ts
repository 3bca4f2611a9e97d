import { type Transact, type Tx, transactOn } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import { hashSecret } from '../keys/key-material.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { findAccount } from './find-account.ts'
import { issueTokens, type SessionWithTokens } from './session.ts'

/**
 * Exchanges a refresh token for new tokens; the refresh token is then spent. A token that is used twice was copied: its
 * session ends with all its tokens (contract 3). UNAUTHORIZED for a token that is unknown, expired, spent, or of an
 * ended session.
 *
 * Of two concurrent uses, the later one waits for the row, finds the token spent, and ends the session.
 */
export async function refreshSession(
  parts: Pick<IdentityParts, 'db' | 'clock' | 'random' | 'secrets' | 'environment'>,
  refreshToken: string,
  transact: Transact<SessionWithTokens> = transactOn(parts.db),
): Promise<SessionWithTokens> {
  const tokenHash = hashSecret(parts.secrets.pepper, refreshToken)
  const failure = new Failure('UNAUTHORIZED', { message: 'The refresh token is not valid.' })
  try {
    return await transact(async (tx) => {
      const spent = await consumeToken(tx, parts, tokenHash)
      const found =
        spent && (await findAccount(tx, { organizationId: spent.organization_id, sessionId: spent.session_id }))
      if (found === undefined) throw failure
      return issueTokens(tx, parts, found.account, spent!.session_id)
    })
  } catch (error) {
    // The failure rolls its transaction back, but ending the session must commit.
    if (error === failure) await revokeSession(parts, tokenHash)
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
