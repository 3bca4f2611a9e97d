import { sql } from 'kysely'
import type { Retention } from '../../database/index.ts'
import { addMilliseconds } from '../../kernel/index.ts'
import type { WebhookParts } from '../parts.ts'

/**
 * Deliveries and relayed events older than the retention, deliveries first, because they refer to their events. An
 * event that was never relayed stays, however old. The newest event that an organization lost is remembered, so that a
 * reader who continues before it learns of the gap.
 */
export function eventRetentions(
  { clock }: Pick<WebhookParts, 'clock'>,
  retentionMs: number | undefined,
): readonly Retention[] {
  if (retentionMs === undefined) return []
  const before = () => addMilliseconds(clock.now(), -retentionMs)
  return [
    {
      table: 'webhook_deliveries',
      statement: (limit) => sql`
        delete from webhook_deliveries where (organization_id, id) in (
          select organization_id, id from webhook_deliveries where (organization_id, id) in (
            select organization_id, id from (
              select organization_id, id, created_at from webhook_deliveries order by id limit ${limit}) oldest
            where created_at < ${before()})
          for update skip locked)`,
    },
    {
      table: 'outbox',
      statement: (limit) => sql`
        with old as (
          select organization_id, id from outbox where (organization_id, position) in (
            select organization_id, position from (
              select organization_id, position, relayed_at from outbox
              where position is not null order by position limit ${limit}) oldest
            where relayed_at < ${before()})
          for update skip locked
        ), noted as (
          insert into deleted_events (organization_id, last_event_id) select organization_id, max(id) from old
          group by organization_id order by organization_id
          on conflict (organization_id) do update
            set last_event_id = greatest(deleted_events.last_event_id, excluded.last_event_id)
        )
        delete from outbox using old where outbox.organization_id = old.organization_id and outbox.id = old.id`,
    },
  ]
}
