import { sql } from 'kysely'
import { addMilliseconds, LOGIN_ADDRESS_LIFETIME_MS } from '../../kernel/index.ts'
import type { IdentityParts } from '../shared/parts.ts'

/**
 * Removes expired refresh tokens, sessions that nothing can revive, and addresses of logins long ago; for a daily job. A
 * spent token stays until it would have expired, because its reuse must still end the session. Returns how many sessions
 * were removed.
 */
export async function sweepSessions(parts: Pick<IdentityParts, 'db' | 'clock' | 'sessionLimits'>): Promise<number> {
  const now = parts.clock.now()
  await parts.db
    .deleteFrom('login_addresses')
    .where('last_at', '<=', addMilliseconds(now, -LOGIN_ADDRESS_LIFETIME_MS))
    .execute()
  await parts.db.deleteFrom('refresh_tokens').where('expires_at', '<=', now).execute()
  const swept = await sql`
    delete from sessions session
    where session.last_used_at <= ${addMilliseconds(now, -parts.sessionLimits.idleMs)} and not exists (
      select from refresh_tokens token
      where token.organization_id = session.organization_id and token.session_id = session.id
    )
  `.execute(parts.db)
  return Number(swept.numAffectedRows ?? 0n)
}
