import type { Tx } from '../../database/index.ts'
import { addMilliseconds, REPLACED_COOKIE_LIFETIME_MS } from '../../kernel/index.ts'
import { hashSecret } from '../keys/key-material.ts'
import type { UserCredential } from '../shared/credential.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { newSessionToken } from '../shared/session-token.ts'

/**
 * Gives the browser of this request another cookie, and returns its value: a copy of the old one must not gain what the
 * user proved just now (ADR 195). `undefined` for other clients, and for a cookie that was replaced before: the browser
 * has a newer one, or a copy sent this.
 */
export async function replaceCookie(
  tx: Tx,
  { clock, random, secrets }: Pick<IdentityParts, 'clock' | 'random' | 'secrets'>,
  { organizationId, sessionId, cookie }: UserCredential,
): Promise<string | undefined> {
  if (cookie === undefined) return undefined
  const now = clock.now()
  const current = await tx
    .selectFrom('refresh_tokens')
    .select('expires_at')
    .where('organization_id', '=', organizationId)
    .where('session_id', '=', sessionId)
    .where('token_hash', '=', cookie.hash)
    .where('is_cookie', '=', true)
    .where('used_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (current === undefined) return undefined
  await tx
    .updateTable('refresh_tokens')
    .set({ used_at: now, expires_at: addMilliseconds(now, REPLACED_COOKIE_LIFETIME_MS) })
    .where('organization_id', '=', organizationId)
    .where('token_hash', '=', cookie.hash)
    .execute()
  const value = newSessionToken(random)
  await tx
    .insertInto('refresh_tokens')
    .values({
      token_hash: hashSecret(secrets.pepper, value),
      pepper_id: secrets.pepper.currentId,
      organization_id: organizationId,
      session_id: sessionId,
      expires_at: current.expires_at,
      is_cookie: true,
    })
    .execute()
  return value
}
