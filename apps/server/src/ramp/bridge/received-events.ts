import { sql } from 'kysely'
import type { Database } from '../../database/index.ts'

/** Provider name, stored with every event of this partner. */
export const BRIDGE_PROVIDER = 'bridge'

/** The subset of event ids that were already processed, applied or ignored. */
export async function findProcessedEventIds(db: Database, eventIds: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select event_id as id from ramp_provider_events where provider = ${BRIDGE_PROVIDER} and event_id = any(${eventIds}::text[])
    union all
    select event_id from ramp_bridge_ignored_events where event_id = any(${eventIds}::text[])
  `.execute(db)
  return new Set(rows.map(({ id }) => id))
}
