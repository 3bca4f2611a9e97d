import { sql } from 'kysely'
import type { Database } from '../../database/index.ts'
import {
  addMilliseconds,
  type Clock,
  SECURITY_EVENTS_MAX,
  SECURITY_EVENTS_SWEEP_BATCH,
  uuidV7,
} from '../../kernel/index.ts'

/**
 * Deletes events older than the retention, and the oldest ones beyond a number that the table may hold, a batch per
 * statement. Returns how many.
 */
export async function sweepSecurityEvents(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  retentionMs: number,
  max = SECURITY_EVENTS_MAX,
): Promise<number> {
  // Ids begin with the time.
  const oldest = uuidV7((bytes) => new Uint8Array(bytes), addMilliseconds(clock.now(), -retentionMs))
  let deleted = 0
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from security_events where id in (
        select id from security_events
        where id < ${oldest}
          or id <= (select id from security_events order by id desc offset ${max} limit 1)
        order by id limit ${SECURITY_EVENTS_SWEEP_BATCH}
      )
    `.execute(db)
    deleted += Number(numAffectedRows)
    if (numAffectedRows < SECURITY_EVENTS_SWEEP_BATCH) return deleted
  }
}
