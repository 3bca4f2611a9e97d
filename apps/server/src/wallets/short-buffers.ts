import { sql } from 'kysely'
import type { Database } from '../database/index.ts'

/**
 * Age of the oldest buffer shortfall of all organizations, in seconds; 0 without one. Reads the first entry of a
 * partial index.
 */
export async function oldestShortBuffer(db: Database, now: Date): Promise<number> {
  const { rows } = await sql<{ since: Date }>`
    select ow.short_since as since from operational_wallets ow
    join organizations o on o.id = ow.organization_id and o.deleted_at is null
    where ow.short_since is not null order by ow.short_since limit 1
  `.execute(db)
  return rows[0] ? Math.max(0, (now.getTime() - rows[0].since.getTime()) / 1_000) : 0
}
