import { sql } from 'kysely'
import { type Database, inTransaction, runPrepared } from '../../database/index.ts'
import { addMilliseconds, WEBHOOK_LEASE_AHEAD_MS_MAX, WEBHOOK_LEASE_MS } from '../../kernel/index.ts'
import { type EndpointHealth, HEALTHY } from './retry-schedule.ts'

/** A webhook leased to this process. */
export interface ClaimedWebhook extends StoredHealth {
  readonly organizationId: number
  readonly webhookId: number
  readonly lease: string
}

interface Row {
  organization_id: number
  id: number
  failures: number
  failing_since: Date | null
  failing_at: Date | null
  paused_until: Date | null
  updated_at: Date
}

/**
 * Claims unleased webhooks with due deliveries, the longest overdue first. If a process dies, its leases expire, and
 * attempts that it sent but did not record are sent again. A lease that ends far ahead is over too: its process had a
 * wrong clock, and may be dead.
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
      update webhooks w set lease = ${lease}, leased_until = ${addMilliseconds(at, WEBHOOK_LEASE_MS)}
      from (
        select d.organization_id, d.id from webhooks d join organizations o on o.id = d.organization_id
        where d.due_at <= ${at} and (d.leased_until is null or d.leased_until <= ${at}
            or d.leased_until > ${addMilliseconds(at, WEBHOOK_LEASE_AHEAD_MS_MAX)})
          and d.deleted_at is null and d.disabled_at is null and o.deleted_at is null
        order by d.due_at limit ${limit} for no key update of d skip locked
      ) due
      where w.organization_id = due.organization_id and w.id = due.id
      returning w.organization_id, w.id, w.failures, w.failing_since, w.failing_at, w.paused_until, w.updated_at
    `,
  )
  return rows.map((row) => ({
    organizationId: row.organization_id,
    webhookId: row.id,
    lease,
    ...storedHealth(row),
  }))
}

/**
 * Renews the leases of this process. Skips locked rows until the next round: waiting for them while holding others could
 * deadlock.
 */
export async function renewLeases(db: Database, lease: string, webhookIds: readonly number[], at: Date): Promise<void> {
  await sql`
    update webhooks w set leased_until = ${addMilliseconds(at, WEBHOOK_LEASE_MS)}
    from (
      select organization_id, id from webhooks where id = any(${webhookIds}::bigint[]) and lease = ${lease}
      for no key update skip locked) held
    where w.organization_id = held.organization_id and w.id = held.id
  `.execute(db)
}

/**
 * Releases a webhook until its next delivery is due and its pause is over. Locks the row before reading the deliveries:
 * a writer of deliveries holds the same lock until they are committed, so none is missed.
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
          select greatest(d.next_attempt_at, w.paused_until) from webhook_deliveries d
          where d.organization_id = w.organization_id and d.webhook_id = w.id and d.status = 'pending'
            and w.disabled_at is null and w.deleted_at is null
          order by d.next_attempt_at limit 1)
      where w.organization_id = ${organizationId} and w.id = ${webhookId} and w.lease = ${lease}
    `.execute(tx)
  })
}

/** The health of a webhook's receiver as it is stored, and when somebody last changed the webhook. */
export interface StoredHealth {
  readonly health: EndpointHealth
  readonly updatedAt: Date
}

/** What the attempts of a process found about the receiver at `url`, after what it read or saved last. */
export interface FoundHealth {
  readonly url: string
  readonly from: StoredHealth
  readonly to: EndpointHealth
}

/**
 * Stores the health of a receiver. False, without effect, if it is no longer what this process knows: another process
 * saved its own, or somebody changed the URL or enabled the webhook again, about which an attempt that was in flight says
 * nothing.
 */
export async function saveHealth(db: Database, claimed: ClaimedWebhook, found: FoundHealth): Promise<boolean> {
  const { url, from, to } = found
  const { numAffectedRows } = await sql`
    update webhooks set failures = ${to.failures}, failing_since = ${to.failingSince},
      failing_at = ${to.failingAt}, paused_until = ${to.pausedUntil}
    where organization_id = ${claimed.organizationId} and id = ${claimed.webhookId} and url = ${url}
      and date_trunc('milliseconds', updated_at) = ${from.updatedAt}::timestamptz and failures = ${from.health.failures}
      and date_trunc('milliseconds', failing_since) is not distinct from ${from.health.failingSince}::timestamptz
  `.execute(db)
  return numAffectedRows === 1n
}

/** What is stored of a receiver, and its URL. */
export async function readHealth(
  db: Database,
  { organizationId, webhookId }: ClaimedWebhook,
): Promise<StoredHealth & { readonly url: string }> {
  const row = await db
    .selectFrom('webhooks')
    .select(['url', 'failures', 'failing_since', 'failing_at', 'paused_until', 'updated_at'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', webhookId)
    .executeTakeFirstOrThrow()
  return { url: row.url, ...storedHealth(row) }
}

function storedHealth(row: Omit<Row, 'organization_id' | 'id'>): StoredHealth {
  const { failures, failing_since: failingSince, failing_at: failingAt, paused_until: pausedUntil } = row
  const health = failures === 0 ? HEALTHY : { failures, failingSince, failingAt, pausedUntil }
  return { health, updatedAt: row.updated_at }
}
