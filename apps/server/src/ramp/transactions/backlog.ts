import { sql } from 'kysely'
import type { Database } from '../../database/index.ts'

/** Open ramp transactions, for monitoring. */
export interface RampBacklog {
  readonly onramp: number
  readonly offramp: number
  /** Age of the oldest open transaction. */
  readonly oldestSeconds: number
}

/** Reads a partial index of open transactions, so ended ones cost nothing. */
export async function rampBacklog(db: Database, now: Date): Promise<RampBacklog> {
  const { rows } = await sql<{ onramp: number; offramp: number; since: Date | null }>`
    select count(*) filter (where direction = 'onramp') as onramp,
      count(*) filter (where direction = 'offramp') as offramp, min(created_at) as since
    from ramp_transactions where status not in ('completed', 'failed', 'rejected', 'reversed')
  `.execute(db)
  const { since, onramp, offramp } = rows[0]!
  return { onramp, offramp, oldestSeconds: since ? (now.getTime() - since.getTime()) / 1_000 : 0 }
}
