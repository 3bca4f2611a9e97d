import { sql } from 'kysely'
import type { Database } from '../../database/index.ts'

/** Money on its way between banks and chains, for whoever watches the service. */
export interface RampBacklog {
  readonly onramp: number
  readonly offramp: number
  /** How long the oldest of them has been under way. */
  readonly oldestSeconds: number
}

/** Reads an index of what is under way; what ended costs nothing. */
export async function rampBacklog(db: Database, now: Date): Promise<RampBacklog> {
  const { rows } = await sql<{ onramp: number; offramp: number; since: Date | null }>`
    select count(*) filter (where direction = 'onramp') as onramp,
      count(*) filter (where direction = 'offramp') as offramp, min(created_at) as since
    from ramp_transactions where status not in ('completed', 'failed', 'rejected', 'reversed')
  `.execute(db)
  const { since, onramp, offramp } = rows[0]!
  return { onramp, offramp, oldestSeconds: since ? (now.getTime() - since.getTime()) / 1_000 : 0 }
}
