import type { AuditActorType, Database } from '../../database/index.ts'
import type { SecurityEvent, SecurityEventType } from './security-event.ts'

/** Which events to read; omitted filters match everything. */
export interface SecurityEventFilter {
  readonly type?: SecurityEventType | undefined
  readonly actor?: { readonly type: AuditActorType; readonly id?: number | undefined } | undefined
  readonly address?: string | undefined
  readonly code?: string | undefined
  /** Inclusive. */
  readonly since?: Date | undefined
  /** Exclusive. */
  readonly until?: Date | undefined
}

export interface SecurityEventPage {
  readonly events: readonly SecurityEvent[]
  /** The id to continue after; `null` if there are no more events. */
  readonly nextCursor: string | null
}

/** A page of an organization's security events, newest first, from the event after `cursor`. */
export async function listSecurityEvents(
  parts: { readonly db: Database },
  organizationId: number,
  { type, actor, address, code, since, until }: SecurityEventFilter,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<SecurityEventPage> {
  let matching = parts.db.selectFrom('security_events').where('organization_id', '=', organizationId)
  if (type !== undefined) matching = matching.where('type', '=', type)
  if (actor !== undefined) matching = matching.where('actor_type', '=', actor.type)
  if (actor?.id !== undefined) matching = matching.where('actor_id', '=', actor.id)
  if (address !== undefined) matching = matching.where('address', '=', address)
  if (code !== undefined) matching = matching.where('code', '=', code)
  if (since !== undefined) matching = matching.where('at', '>=', since)
  if (until !== undefined) matching = matching.where('at', '<', until)
  if (cursor !== undefined) matching = matching.where('id', '<', cursor)
  const rows = await matching
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const events = rows.slice(0, limit).map((row) => ({
    id: row.id,
    at: row.at,
    lastAt: row.last_at,
    count: row.count,
    type: row.type as SecurityEventType,
    organizationId: row.organization_id,
    actorType: row.actor_type,
    actorId: row.actor_id,
    address: row.address,
    userAgent: row.user_agent,
    route: row.route,
    method: row.method,
    status: row.status,
    code: row.code,
    reason: row.reason,
    requestId: row.request_id,
  }))
  return { events, nextCursor: rows.length > limit ? (events.at(-1)?.id ?? null) : null }
}
