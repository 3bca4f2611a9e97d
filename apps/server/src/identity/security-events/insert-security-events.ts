import { sql } from 'kysely'
import type { Database, Tx } from '../../database/index.ts'
import type { SecurityEvent } from './security-event.ts'

/**
 * Stores events in one statement. An event that is stored already is skipped, so that a batch can be sent again. Events
 * of an organization whose erasure was requested lose addresses and user agents: the erasure may be past them, and the
 * organization's keys are refused ever after.
 */
export async function insertSecurityEvents(db: Database | Tx, events: readonly SecurityEvent[]): Promise<void> {
  if (events.length === 0) return
  await sql`
    insert into security_events (id, at, last_at, count, type, organization_id, actor_type, actor_id, address, user_agent,
      route, method, status, code, reason, request_id)
    select event.id, event.at, event.last_at, event.count, event.type, event.organization_id, event.actor_type,
      event.actor_id, case when erasure.organization_id is null then event.address end,
      case when erasure.organization_id is null then event.user_agent end, event.route, event.method, event.status,
      event.code, event.reason, event.request_id
    from jsonb_to_recordset(${JSON.stringify(events.map(rowOf))}::jsonb) as event (id uuid, at timestamptz,
      last_at timestamptz, count integer, type text, organization_id bigint, actor_type text, actor_id bigint,
      address text, user_agent text, route text, method text, status integer, code text, reason text, request_id text)
    left join organization_erasures erasure on erasure.organization_id = event.organization_id
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
