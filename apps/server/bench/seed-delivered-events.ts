import { sql } from 'kysely'
import type { BenchDatabase } from './bench-environment.ts'
import { inBulk } from './seed.ts'

/** Events with three deliveries each: what a busy organization keeps for thirty days. */
export const DELIVERED_EVENTS = 100_000
export const FEW_DELIVERED_EVENTS = 20
const DAYS = 30
const WEBHOOKS_OF_AN_EVENT = 3
/** The connection gives up on a statement that takes longer than the service's may, on a busy machine too. */
const EVENTS_OF_A_STATEMENT = 10_000

/** Relayed events, and their deliveries to the organization's first webhooks, each delivered at its first attempt. */
export async function seedDeliveredEvents(database: BenchDatabase, events: number): Promise<void> {
  const { organizationId } = database
  await inBulk(database, async (tx) => {
    for (let from = 0; from < events; from += EVENTS_OF_A_STATEMENT) {
      const to = Math.min(events, from + EVENTS_OF_A_STATEMENT) - 1
      await sql`
        with told as (
          insert into outbox (organization_id, event, object_type, object_id, data, created_at, relayed_at, position, body)
          select ${organizationId}::bigint, 'transaction.updated', 'ramp_transaction', n, data, at, at, r.last_position + n + 1,
            json_build_object('event', 'transaction.updated', 'timestamp', at, 'data', data)::text
          from generate_series(${from}::int, ${to}::int) n, event_relay r,
            lateral (select now() - (${events}::int - n) * (${DAYS}::int * interval '1 day' / ${events}::int) as at,
              jsonb_build_object('transaction_id', n, 'status', 'completed', 'usd_amount', '250.00') as data) what
          returning organization_id, id, event, object_type, object_id, created_at
        )
        insert into webhook_deliveries (organization_id, webhook_id, event_id, event, object_type, object_id, status,
          attempt_count, attempts, next_attempt_at, created_at)
        select t.organization_id, w.id, t.id, t.event, t.object_type, t.object_id, 'delivered', 1,
          jsonb_build_array(jsonb_build_object('at', t.created_at, 'statusCode', 200, 'error', null, 'durationMs', 40)),
          null, t.created_at
        from told t, (select id from webhooks where organization_id = ${organizationId} order by id
          limit ${WEBHOOKS_OF_AN_EVENT}) w
      `.execute(tx)
    }
    await sql`update event_relay set last_position = last_position + ${events}`.execute(tx)
  })
}
