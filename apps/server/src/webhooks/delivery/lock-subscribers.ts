import { type RawBuilder, sql } from 'kysely'
import type { Database, Tx } from '../../database/index.ts'
import { EVENT_RELAY_LOCK_MS } from '../../kernel/index.ts'

interface Subscriber {
  readonly organization_id: number
  readonly id: number
  readonly events: readonly string[]
}

const activeOf = (organizationIds: readonly number[]): RawBuilder<Subscriber> => sql<Subscriber>`
  select w.organization_id, w.id, w.events from webhooks w join organizations o on o.id = w.organization_id
  where w.organization_id = any(${organizationIds}::bigint[])
    and w.disabled_at is null and w.deleted_at is null and o.deleted_at is null
  order by w.id
`

/**
 * The active webhooks of these organizations. Their rows stay locked until the deliveries are committed, so that a worker
 * cannot release a webhook and miss deliveries that are being written. A row that somebody else keeps for longer than a
 * change takes is a time-out, because the events of every organization wait with it.
 */
export async function lockSubscribers(tx: Tx, organizationIds: readonly number[]): Promise<readonly Subscriber[]> {
  const setting = await sql<{ before: string }>`
    select current_setting('lock_timeout') as before, set_config('lock_timeout', ${String(EVENT_RELAY_LOCK_MS)}, true)
  `.execute(tx)
  const { rows } = await sql<Subscriber>`${activeOf(organizationIds)} for no key update of w`.execute(tx)
  await sql`select set_config('lock_timeout', ${setting.rows[0]!.before}, true)`.execute(tx)
  return rows
}

/** Those of the organizations that have an active webhook which another transaction locks now. */
export async function findLockedWebhooks(db: Database, organizationIds: readonly number[]): Promise<readonly number[]> {
  const { rows } = await sql<{ organization_id: number }>`
    with free as materialized (${activeOf(organizationIds)} for no key update of w skip locked)
    select distinct active.organization_id from (${activeOf(organizationIds)}) active
    where not exists (select from free where free.organization_id = active.organization_id and free.id = active.id)
  `.execute(db)
  return rows.map(({ organization_id: organizationId }) => organizationId)
}
