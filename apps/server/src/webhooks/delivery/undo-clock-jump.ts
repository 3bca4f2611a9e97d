import { sql } from 'kysely'
import { inTransaction } from '../../database/index.ts'
import {
  addMilliseconds,
  EVENT_CLOCK_AHEAD_MS_MAX,
  EVENT_HOLD_MS,
  secondsBetween,
  WEBHOOK_PAUSE_MS,
} from '../../kernel/index.ts'
import { reschedule } from '../lifecycle/advance-deliveries.ts'
import type { WebhookParts } from '../parts.ts'
import { wakeWebhooks } from './wake-webhooks.ts'

/**
 * Takes back what a process whose clock was ahead wrote: events would be due from its time on, as events are due in their
 * order, and every webhook would wait for that time. Untried deliveries that lie ahead are due now, in their order, and no
 * endpoint is paused for longer than a pause lasts. A planned repetition keeps its time, because a process whose clock is
 * behind calls this too, and would use up all attempts at once.
 */
export async function undoClockJump({ db, clock, log }: Pick<WebhookParts, 'db' | 'clock' | 'log'>): Promise<void> {
  const seconds = await inTransaction(db, async (tx) => {
    // One process relays at a time; another one may have taken it back meanwhile.
    const { last_at: lastAt } = await tx
      .selectFrom('event_relay')
      .select('last_at')
      .forUpdate()
      .executeTakeFirstOrThrow()
    const now = clock.now()
    if (lastAt === null || lastAt <= addMilliseconds(now, EVENT_CLOCK_AHEAD_MS_MAX)) return null
    await tx.updateTable('event_relay').set({ last_at: now }).execute()
    const pauseEnd = addMilliseconds(now, WEBHOOK_PAUSE_MS.max)
    // Webhooks before their deliveries, as everywhere.
    const { rows: webhooks } = await sql<{ organizationId: number; webhookId: number }>`
      select w.organization_id as "organizationId", w.id as "webhookId" from webhooks w
      where w.disabled_at is null and w.deleted_at is null and (w.paused_until > ${pauseEnd} or exists (
        select from webhook_deliveries d where d.organization_id = w.organization_id and d.webhook_id = w.id
          and d.status = 'pending' and d.attempt_count = 0 and d.next_attempt_at > ${now}))
      order by w.id for no key update
    `.execute(tx)
    const ids = webhooks.map(({ webhookId }) => webhookId)
    const organizations = webhooks.map(({ organizationId }) => organizationId)
    await sql`
      update webhooks set paused_until = null
      where (organization_id, id) in (select * from unnest(${organizations}::bigint[], ${ids}::bigint[]))
        and paused_until > ${pauseEnd}
    `.execute(tx)
    await reschedule(tx, webhooks, now)
    await wakeWebhooks(tx, webhooks, now)
    await tx
      .updateTable('held_events')
      .set({ next_attempt_at: now })
      .where('next_attempt_at', '>', addMilliseconds(now, EVENT_HOLD_MS.max))
      .execute()
    return secondsBetween(now, lastAt)
  })
  if (seconds !== null)
    log.warn({ seconds }, 'the clock of a process was ahead: the deliveries that it put off are due now')
}
