import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/index.ts'
import type { Scope } from '../../identity/index.ts'
import { RAMP_OBJECT_TYPES } from './event-names.ts'

/** An event as it is told: the body of its webhooks, and its id. */
export interface PublishedEvent {
  readonly id: number
  readonly event: string
  readonly timestamp: string
  readonly data: Record<string, unknown>
}

/** A stretch of the line, oldest first. */
export interface EventPage {
  readonly events: readonly PublishedEvent[]
  /** What to go on after: the id of the last event, or else of the one that counted. Null before the first event. */
  readonly cursor: number | null
  readonly hasMore: boolean
}

/**
 * Events within a sight, in the order of their places in line, so that nothing which commits late is passed over
 * (contract 12). `after` is the id of an event: whatever came after it. In place of an event that is not kept any more,
 * not within sight, or not there yet (a backup was restored), the one before it counts; without `after` the list begins
 * with the oldest that is kept.
 *
 * A profile-scoped key sees the events of its profile's wallets, and those of the ramp, which is the organization's
 * (contract 1 and 11); everybody else sees all of them.
 */
export async function listEvents(
  db: Database,
  scope: Scope,
  { after, limit }: { readonly after: number | null; readonly limit: number },
): Promise<EventPage> {
  // One statement: the event that counts must be the one after which the page begins, whatever is relayed meanwhile.
  const { rows } = await sql<{ counted: number | null; id: number | null; body: string }>`
    with place as (
      select id, position from outbox where organization_id = ${scope.organizationId} and id <= ${after}::bigint
        and position is not null order by id desc limit 1)
    select place.id as counted, page.id, page.body from (values (1)) one
    left join place on true
    left join lateral (
      select id, body, position from outbox
      where organization_id = ${scope.organizationId} and position > coalesce(place.position, 0) and ${isVisible(scope)}
      order by position limit ${limit + 1}
    ) page on true
    order by page.position
  `.execute(db)
  const found = rows.filter((row): row is typeof row & { id: number } => row.id !== null)
  const events = found
    .slice(0, limit)
    .map(({ id, body }) => ({ id, ...(JSON.parse(body) as Omit<PublishedEvent, 'id'>) }))
  return { events, cursor: events.at(-1)?.id ?? rows[0]?.counted ?? after, hasMore: found.length > limit }
}

/** The id of the newest event within sight; null: there is none. For a stream that begins now. */
export async function newestEvent(db: Database, scope: Scope): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select id from outbox
    where organization_id = ${scope.organizationId} and position is not null and ${isVisible(scope)}
    order by position desc limit 1
  `.execute(db)
  return rows[0]?.id ?? null
}

function isVisible({ walletProfileId }: Scope): RawBuilder<boolean> {
  if (walletProfileId === null) return sql`true`
  return sql`(wallet_profile_id = ${walletProfileId} or object_type = any(${[...RAMP_OBJECT_TYPES]}::text[]))`
}
