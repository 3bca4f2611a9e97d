import { sql } from 'kysely'
import type { Retention } from '../../database/index.ts'
import { addMilliseconds, LOGIN_ADDRESS_LIFETIME_MS } from '../../kernel/index.ts'
import type { IdentityParts } from '../shared/parts.ts'

/**
 * Expired refresh tokens, sessions that nothing can revive, and addresses of logins long ago. A consumed token stays until it
 * would have expired, because its reuse must still end the session.
 */
export function sessionRetentions({
  clock,
  sessionLimits,
}: Pick<IdentityParts, 'clock' | 'sessionLimits'>): Retention[] {
  return [
    {
      table: 'login_addresses',
      statement: (limit) => sql`
        delete from login_addresses where subject in (
          select subject from login_addresses
          where last_at <= ${addMilliseconds(clock.now(), -LOGIN_ADDRESS_LIFETIME_MS)}
          order by last_at limit ${limit} for update skip locked)`,
    },
    {
      table: 'refresh_tokens',
      statement: (limit) => sql`
        delete from refresh_tokens where (organization_id, token_hash) in (
          select organization_id, token_hash from refresh_tokens where expires_at <= ${clock.now()}
          order by expires_at limit ${limit} for update skip locked)`,
    },
    {
      table: 'sessions',
      statement: (limit) => sql`
        delete from sessions where (organization_id, id) in (
          select session.organization_id, session.id from sessions session
          where session.last_used_at <= ${addMilliseconds(clock.now(), -sessionLimits.idleMs)} and not exists (
            select from refresh_tokens token
            where token.organization_id = session.organization_id and token.session_id = session.id
          )
          order by session.last_used_at limit ${limit} for update skip locked)`,
    },
  ]
}
