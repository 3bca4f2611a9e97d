import { sql } from 'kysely'
import type { Retention } from '../database/index.ts'
import { addMilliseconds, type Clock, MAILS_RETENTION_MS } from '../kernel/index.ts'

/** Emails that ended, once they no longer count for the limits of their address. */
export function mailRetention({ clock }: { readonly clock: Clock }): Retention {
  return {
    table: 'mails',
    statement: (limit) => sql`
      delete from mails where id in (
        select id from mails
        where next_attempt_at is null and created_at <= ${addMilliseconds(clock.now(), -MAILS_RETENTION_MS)}
        order by created_at limit ${limit} for update skip locked)`,
  }
}
