import { sql } from 'kysely'
import type { Database, Tx } from '../../database/index.ts'
import type { SecurityEvent } from './security-event.ts'

/** Stores events in one statement. An event that is stored already is skipped, so that a batch can be sent again. */
export async function insertSecurityEvents(db: Database | Tx, events: readonly SecurityEvent[]): Promise<void> {
  if (events.length === 0) return
  await sql`
    insert into security_events (id, at, last_at, count, type, organization_id, actor_type, actor_id, address, user_agent,
      route, method, status, code, reason, request_id)
    select * from jsonb_to_recordset(${JSON.stringify(events.map(rowOf))}::jsonb) as event (id uuid, at timestamptz,
      last_at timestamptz, count integer, type text, organization_id bigint, actor_type text, actor_id bigint,
      address text, user_agent text, route text, method text, status integer, code text, reason text, request_id text)
    on conflict do nothing
  `.execute(db)
}

function rowOf(event: SecurityEvent) {
  const { lastAt, organizationId, actorType, actorId, userAgent, requestId, ...same } = event
  return {
    ...same,
    last_at: lastAt,
    organization_id: organizationId,
    actor_type: actorType,
    actor_id: actorId,
    user_agent: userAgent,
    request_id: requestId,
  }
}
