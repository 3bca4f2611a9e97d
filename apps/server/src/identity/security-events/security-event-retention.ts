import { sql } from 'kysely'
import type { Retention } from '../../database/index.ts'
import { addMilliseconds, type Clock, SECURITY_EVENTS_MAX, uuidV7 } from '../../kernel/index.ts'

/** Events older than the retention, and the oldest ones beyond a number that the table may hold. */
export function securityEventRetention(
  { clock }: { readonly clock: Clock },
  retentionMs: number,
  max = SECURITY_EVENTS_MAX,
): Retention {
  return {
    table: 'security_events',
    statement(limit) {
      // Ids begin with the time.
      const oldest = uuidV7((bytes) => new Uint8Array(bytes), addMilliseconds(clock.now(), -retentionMs))
      return sql`
        delete from security_events where id in (
          select id from security_events
          where id < ${oldest} or id <= (select id from security_events order by id desc offset ${max} limit 1)
          order by id limit ${limit} for update skip locked)`
    },
  }
}
