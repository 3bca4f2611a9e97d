import { addMilliseconds, SESSION_USE_RECORDED_MS } from '../../kernel/index.ts'
import { secretHashes } from '../keys/key-material.ts'
import type { UserCredential } from '../shared/credential.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { readOpenSession } from './read-open-session.ts'
import { endOf } from './session.ts'

/**
 * The user behind a browser's session cookie; `undefined` if it is unknown, of an ended session, or the user was removed.
 * A cookie that another has replaced counts for half a minute more (ADR 195). Use extends the session up to its limits,
 * as a refresh does for other clients, and is recorded every five minutes.
 */
export async function authenticateCookie(
  parts: Pick<IdentityParts, 'db' | 'clock' | 'secrets' | 'sessionLimits' | 'factors'>,
  cookie: string,
): Promise<UserCredential | undefined> {
  const found = await readOpenSession(parts, { cookie })
  if (found === undefined) return undefined
  const { credential, createdAt, lastUsedAt } = found
  const now = parts.clock.now()
  if (!credential.cookie?.isReplaced && lastUsedAt <= addMilliseconds(now, -SESSION_USE_RECORDED_MS)) {
    await parts.db.transaction().execute(async (tx) => {
      const isOpen = await tx
        .updateTable('sessions')
        .set({ last_used_at: now })
        .where('organization_id', '=', credential.organizationId)
        .where('id', '=', credential.sessionId)
        .where('revoked_at', 'is', null)
        .returning('id')
        .executeTakeFirst()
      if (isOpen === undefined) return
      await tx
        .updateTable('refresh_tokens')
        .set({ expires_at: endOf(parts, createdAt) })
        .where('token_hash', 'in', secretHashes(parts.secrets.pepper, cookie))
        .where('is_cookie', '=', true)
        .where('used_at', 'is', null)
        .execute()
    })
  }
  return credential
}
