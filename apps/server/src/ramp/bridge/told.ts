import { sql } from 'kysely'
import type { Database } from '../../database/index.ts'

/** Stands beside everything that came from this partner. */
export const BRIDGE = 'bridge'

/** Whether we were told that a payment out had arrived. */
export async function wasPaid(db: Database, subject: string): Promise<boolean> {
  const row = await db
    .selectFrom('ramp_provider_events')
    .select('event_id')
    .where('provider', '=', BRIDGE)
    .where('subject', '=', subject)
    .where('status', '=', 'completed')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Those of the events that we have dealt with already, one way or the other. */
export async function knownOf(db: Database, eventIds: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select event_id as id from ramp_provider_events where provider = ${BRIDGE} and event_id = any(${eventIds}::text[])
    union all
    select event_id from ramp_bridge_ignored where event_id = any(${eventIds}::text[])
  `.execute(db)
  return new Set(rows.map(({ id }) => id))
}
