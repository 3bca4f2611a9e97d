import { sql } from 'kysely'
import { type Database, inTransaction, runPrepared } from '../../database/index.ts'
import { addMilliseconds } from '../../kernel/index.ts'
import type { EndpointHealth } from './retry-schedule.ts'

/** A webhook that this process serves for a while, and nobody else meanwhile. */
export interface ClaimedWebhook {
  readonly organizationId: number
  readonly webhookId: number
  readonly lease: string
  readonly health: EndpointHealth
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
export async function claimDueWebhooks(
  db: Database,
  lease: string,
  at: Date,
  limit: number,
): Promise<ClaimedWebhook[]> {
  const rows = await runPrepared(
    db,
    'claim webhooks',
    sql<Row>`
      update webhooks w set lease = ${lease}, leased_until = ${addMilliseconds(at, LEASE_MS)}
      from (
        select d.organization_id, d.id from webhooks d join organizations o on o.id = d.organization_id
        where d.due_at <= ${at} and (d.leased_until is null or d.leased_until <= ${at})
          and d.deleted_at is null and d.disabled_at is null and o.deleted_at is null
        order by d.due_at limit ${limit} for no key update of d skip locked
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

/**
 * Says that this process is alive, for all that it serves. Rows that somebody holds at the moment are left for the next
 * time: waiting for them with others in hand could end in a deadlock.
 */
export async function renewLeases(db: Database, lease: string, webhookIds: readonly number[], at: Date): Promise<void> {
  await sql`
    update webhooks w set leased_until = ${addMilliseconds(at, LEASE_MS)}
    from (
      select organization_id, id from webhooks where id = any(${webhookIds}::bigint[]) and lease = ${lease}
      for no key update skip locked) held
    where w.organization_id = held.organization_id and w.id = held.id
  `.execute(db)
}

/**
 * Gives a webhook back, to wake when the next of its deliveries is due and its pause is over. The row is locked before
 * the deliveries are looked at: whoever adds one holds that lock until it is there, so none is slept over.
 */
export async function releaseWebhook(
  db: Database,
  { organizationId, webhookId, lease }: ClaimedWebhook,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await sql`
      select 1 from webhooks where organization_id = ${organizationId} and id = ${webhookId} for no key update
    `.execute(tx)
    await sql`
      update webhooks w set lease = null, leased_until = null, due_at = (
          select greatest(min(d.next_attempt_at), w.paused_until) from webhook_deliveries d
          where d.webhook_id = w.id and d.status = 'pending' and w.disabled_at is null and w.deleted_at is null
          having count(*) > 0)
      where w.organization_id = ${organizationId} and w.id = ${webhookId} and w.lease = ${lease}
    `.execute(tx)
  })
}

/** Keeps what the attempts at `url` say of the receiver there. While it is well, as it mostly is, nothing changes. */
export async function saveHealth(
  db: Database,
  claimed: ClaimedWebhook,
  url: string,
  health: EndpointHealth,
): Promise<void> {
  await sql`
    update webhooks set failures = ${health.failures}, failing_since = ${health.failingSince},
      failing_at = ${health.failingAt}, paused_until = ${health.pausedUntil}
    where organization_id = ${claimed.organizationId} and id = ${claimed.webhookId} and url = ${url}
  `.execute(db)
}
