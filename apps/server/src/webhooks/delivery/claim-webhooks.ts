import { type RawBuilder, sql } from 'kysely'
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

/** How many webhooks a process claims, and which it serves. */
interface ClaimRoom {
  readonly limit: number
  /** The organization of each webhook that it serves. */
  readonly serving?: readonly number[]
}

/**
 * Claims unleased webhooks with due deliveries. Organizations take turns: first comes one of each that this process serves
 * least, so that a hundred webhooks of one delay no other organization; within one, the webhook that was served the
 * longest ago, and not the longest overdue, which is the one with the largest backlog.
 *
 * If a process dies, its leases expire, and attempts that it sent but did not record are sent again. A lease that ends far
 * ahead is over too: its process had a wrong clock, and may be dead.
 */
export async function claimDueWebhooks(
  db: Database,
  lease: string,
  at: Date,
  { limit, serving = [] }: ClaimRoom,
): Promise<ClaimedWebhook[]> {
  const rows = await runPrepared(
    db,
    'claim webhooks',
    sql<Row>`
      with serving as (
        select organization_id, count(*) as lanes from unnest(${serving}::bigint[]) as s(organization_id)
        group by organization_id
      ), waiting as (
        select t.*, coalesce(s.lanes, 0)
          + row_number() over (partition by t.organization_id order by t.served_at nulls first, t.due_at, t.id) as turn
        from (
          select d.organization_id, d.id, d.due_at,
            case when d.served_at > ${at} then ${at}::timestamptz else d.served_at end as served_at
          from webhooks d join organizations o on o.id = d.organization_id
          where ${isWaiting('d', at)} and o.deleted_at is null
        ) t left join serving s on s.organization_id = t.organization_id
      ), due as materialized (
        select d.organization_id, d.id from waiting
        join webhooks d on d.organization_id = waiting.organization_id and d.id = waiting.id
        where ${isWaiting('d', at)}
        order by waiting.turn, waiting.served_at nulls first, waiting.due_at, waiting.id
        limit ${limit} for no key update of d skip locked
      )
      update webhooks w
      set lease = ${lease}, leased_until = ${addMilliseconds(at, WEBHOOK_LEASE_MS)}, served_at = ${at} from due
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

/** Whether a webhook can be claimed, if its organization exists. */
const isWaiting = (table: string, at: Date): RawBuilder<boolean> => {
  const column = (name: string) => sql.ref(`${table}.${name}`)
  return sql<boolean>`${column('due_at')} <= ${at} and (${column('leased_until')} is null
    or ${column('leased_until')} <= ${at} or ${column('leased_until')} > ${addMilliseconds(at, WEBHOOK_LEASE_AHEAD_MS_MAX)})
    and ${column('deleted_at')} is null and ${column('disabled_at')} is null`
}

/** How many webhooks could be claimed; at most `limit` of them are counted. */
export async function countWaitingWebhooks(db: Database, at: Date, limit: number): Promise<number> {
  const [found] = await runPrepared(
    db,
    'count waiting webhooks',
    sql<{ count: number }>`
      select count(*) as count from (
        select from webhooks d join organizations o on o.id = d.organization_id
        where ${isWaiting('d', at)} and o.deleted_at is null limit ${limit}
      ) waiting
    `,
  )
  return found!.count
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

/** The stored health and the URL of an endpoint. */
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
