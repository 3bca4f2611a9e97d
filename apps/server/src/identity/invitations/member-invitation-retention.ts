import { sql } from 'kysely'
import type { Retention } from '../../database/index.ts'
import { addMilliseconds, ENDED_INVITATIONS_RETENTION_MS } from '../../kernel/index.ts'
import type { IdentityParts } from '../shared/parts.ts'

/** Invitations a month after they expired: they name addresses of people who may never have joined. */
export function memberInvitationRetention({ clock }: Pick<IdentityParts, 'clock'>): Retention {
  return {
    table: 'member_invitations',
    statement: (limit) => sql`
      delete from member_invitations where (organization_id, id) in (
        select organization_id, id from member_invitations
        where expires_at <= ${addMilliseconds(clock.now(), -ENDED_INVITATIONS_RETENTION_MS)}
        order by expires_at limit ${limit} for update skip locked)`,
  }
}
