import { sql } from 'kysely'
import type { Database } from '../../database/index.ts'

/** Provider name, stored with every event of this partner. */
export const BRIDGE_PROVIDER = 'bridge'

/**
 * Whether the payout arrived, as its record here shows. An event that came too late changed no record, so that what
 * follows it still fits.
 */
export async function wasPaidOut(db: Database, subject: string): Promise<boolean> {
  const row = await db
    .selectFrom('ramp_provider_events')
    .select('event_id')
    .where('provider', '=', BRIDGE_PROVIDER)
    .where('subject', '=', subject)
    // A payout of which only the reversal was reported had arrived as well.
    .where('status', 'in', ['completed', 'reversed'])
    .where('outcome', '=', 'applied')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The subset of event ids that were already processed, applied or ignored. */
export async function findProcessedEventIds(db: Database, eventIds: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select event_id as id from ramp_provider_events where provider = ${BRIDGE_PROVIDER} and event_id = any(${eventIds}::text[])
    union all
    select event_id from ramp_bridge_ignored_events where event_id = any(${eventIds}::text[])
  `.execute(db)
  return new Set(rows.map(({ id }) => id))
}
