import { sql } from 'kysely'
import type { Database } from '../../database/index.ts'

/** Open ramp transactions, and deposits that started none yet, for monitoring. */
export interface RampBacklog {
  readonly onramp: number
  readonly offramp: number
  /** Age of the oldest open transaction. */
  readonly oldestSeconds: number
  /**
   * Age of the oldest deposit that was not recorded, or not passed to the banking partner. Near zero unless some
   * fail, or while no partner handles them: their next attempt is at infinity.
   */
  readonly depositSeconds: number
}

/** Reads partial indexes of what is open, so what ended costs nothing. */
export async function rampBacklog(db: Database, now: Date): Promise<RampBacklog> {
  const { rows } = await sql<{ onramp: number; offramp: number; since: Date | null; deposited: Date | null }>`
    select count(*) filter (where direction = 'onramp') as onramp,
      count(*) filter (where direction = 'offramp') as offramp, min(created_at) as since,
      least((select min(detected_at) from ramp_deposits where next_attempt_at < 'infinity'),
        (select min(since) from ramp_deferred_blocks)) as deposited
    from ramp_transactions where status not in ('completed', 'failed', 'rejected', 'reversed')
  `.execute(db)
  const { since, deposited, ...counts } = rows[0]!
  const secondsSince = (time: Date | null) => (time && time < now ? (now.getTime() - time.getTime()) / 1_000 : 0)
  return { ...counts, oldestSeconds: secondsSince(since), depositSeconds: secondsSince(deposited) }
}
