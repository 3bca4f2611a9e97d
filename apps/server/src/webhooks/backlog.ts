import { sql } from 'kysely'
import type { Database } from '../database/index.ts'

/** What waits to be told, for whoever watches the service. */
export interface WebhookBacklog {
  /** Committed, and not in line yet: nobody was told. */
  readonly events: number
  readonly deliveries: number
  /** How long something has been due that nobody sends, at webhooks that are well: near zero unless workers are behind. */
  readonly overdueSeconds: number
  /** Webhooks whose last attempt failed, and those that were disabled for it. */
  readonly failing: number
  readonly disabled: number
}

/** Reads indexes of what is open and the webhooks themselves; what was delivered costs nothing. */
export async function webhookBacklog(db: Database, now: Date): Promise<WebhookBacklog> {
  const { rows } = await sql<Omit<WebhookBacklog, 'overdueSeconds'> & { dueSince: Date | null }>`
    with served as (
      select w.* from webhooks w join organizations o on o.id = w.organization_id
      where w.deleted_at is null and o.deleted_at is null
    )
    select (select count(*) from outbox where relayed_at is null) as events,
      (select count(*) from webhook_deliveries where status = 'pending') as deliveries,
      min(due_at) filter (where failures = 0 and disabled_at is null and leased_until is null) as "dueSince",
      count(*) filter (where failures > 0 and disabled_at is null) as failing,
      count(*) filter (where disable_reason = 'failing') as disabled
    from served
  `.execute(db)
  const { dueSince, ...counts } = rows[0]!
  return { ...counts, overdueSeconds: dueSince && dueSince < now ? (now.getTime() - dueSince.getTime()) / 1_000 : 0 }
}
