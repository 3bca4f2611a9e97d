import { sql } from 'kysely'
import { type Database, inTransaction, runNamed } from '../database/index.ts'
import { later } from '../kernel/index.ts'
import { HEALTHY, type Health } from './schedule.ts'

/** A webhook that this process serves for a while, and nobody else meanwhile. */
export interface Claimed {
  readonly organizationId: number
  readonly webhookId: number
  readonly lease: string
  readonly health: Health
}

/** A process that is silent for so long is taken for dead, and others serve its webhooks. */
export const LEASE_MS = 30_000

interface Row {
  organization_id: number
  id: number
  failures: number
  failing_since: Date | null
  failing_at: Date | null
  paused_until: Date | null
}

/**
 * Takes webhooks that have something due and that nobody serves, the longest waiting first. Who dies while serving one
 * loses it when the lease ends; what it had sent and not written down is then sent again.
 */
export async function claimDue(db: Database, lease: string, at: Date, limit: number): Promise<Claimed[]> {
  const rows = await runNamed(
    db,
    'claim webhooks',
    sql<Row>`
      update webhooks w set lease = ${lease}, leased_until = ${later(at, LEASE_MS)}
      from (
        select organization_id, id from webhooks
        where wake_at <= ${at} and (leased_until is null or leased_until <= ${at})
          and deleted_at is null and disabled_at is null
        order by wake_at limit ${limit} for no key update skip locked
      ) due
      where w.organization_id = due.organization_id and w.id = due.id
      returning w.organization_id, w.id, w.failures, w.failing_since, w.failing_at, w.paused_until
    `,
  )
  return rows.map((row) => ({
    organizationId: row.organization_id,
    webhookId: row.id,
    lease,
    health: {
      failures: row.failures,
      failingSince: row.failing_since,
      failingAt: row.failing_at,
      pausedUntil: row.paused_until,
    },
  }))
}

/** Says that this process is alive, for all that it serves. */
export async function renewLeases(db: Database, lease: string, at: Date): Promise<void> {
  await sql`update webhooks set leased_until = ${later(at, LEASE_MS)} where lease = ${lease}`.execute(db)
}

/**
 * Gives a webhook back, to wake when the next of its deliveries is due and its pause is over. The row is locked before
 * the deliveries are looked at: whoever adds one holds that lock until it is there, so none is slept over.
 */
export async function release(db: Database, { organizationId, webhookId, lease }: Claimed): Promise<void> {
  await inTransaction(db, async (tx) => {
    await sql`
      select 1 from webhooks where organization_id = ${organizationId} and id = ${webhookId} for no key update
    `.execute(tx)
    await sql`
      update webhooks w set lease = null, leased_until = null, wake_at = (
          select greatest(min(d.next_attempt_at), w.paused_until) from webhook_deliveries d
          where d.webhook_id = w.id and d.status = 'pending' and w.disabled_at is null and w.deleted_at is null
          having count(*) > 0)
      where w.organization_id = ${organizationId} and w.id = ${webhookId} and w.lease = ${lease}
    `.execute(tx)
  })
}

/** Keeps what an attempt at `url` says of the receiver there; nothing is written while it is well, as it mostly is. */
export async function keepHealth(
  db: Database,
  claimed: Claimed,
  url: string,
  { before, after }: { before: Health; after: Health },
): Promise<void> {
  if (before === HEALTHY && after === HEALTHY) return
  await sql`
    update webhooks set failures = ${after.failures}, failing_since = ${after.failingSince},
      failing_at = ${after.failingAt}, paused_until = ${after.pausedUntil}
    where organization_id = ${claimed.organizationId} and id = ${claimed.webhookId} and url = ${url}
  `.execute(db)
}
