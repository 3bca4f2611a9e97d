import { sql } from 'kysely'
import { tellAllocations } from '../allocations/index.ts'
import { inTransaction, type KeptEvent, runNamed, type ToldEvent, type Tx } from '../database/index.ts'
import { tellOperations } from '../operations/index.ts'
import { wake } from './delivery.ts'
import { wants } from './events.ts'
import type { WebhookParts } from './parts.ts'

/** Rows of one transaction: enough to be quick, few enough to be short. */
const BATCH = 500

interface Waiting extends KeptEvent {
  readonly event: string
  readonly objectType: string
  readonly objectId: number
  readonly createdAt: Date
}

type RelayParts = Pick<WebhookParts, 'db' | 'clock' | 'log'>

/**
 * Gives committed events their place in line and their public shape, and makes one delivery for each webhook that wants
 * one, in one transaction. Returns how many events there were.
 *
 * One transaction does this at a time (the row of `event_relay`), so places are taken in the order in which they become
 * visible. Events of one object are in the order of its changes, because a change holds the object's lock from before
 * its event is written until it has committed.
 */
export async function relayEvents(parts: RelayParts): Promise<number> {
  // Most rounds find nothing; these take no lock.
  const rows = await runNamed(parts.db, 'events to relay', sql`select 1 from outbox where relayed_at is null limit 1`)
  if (rows.length === 0) return 0
  return await inTransaction(parts.db, (tx) => relayBatch(tx, parts))
}

async function relayBatch(tx: Tx, parts: RelayParts): Promise<number> {
  const line = await tx.selectFrom('event_relay').selectAll().forUpdate().executeTakeFirstOrThrow()
  const events = await waitingEvents(tx)
  if (events.length === 0) return 0
  const now = parts.clock.now()
  // Deliveries are due in the order of their events, also when the clocks of two processes differ.
  const at = line.last_at && line.last_at > now ? line.last_at : now
  const told = await tellAll(tx, events, parts)
  const rows = events.map((event, turn) => {
    const { data, walletProfileId } = told.get(event.id) ?? { data: event.data, walletProfileId: null }
    const body = JSON.stringify({ event: event.event, timestamp: event.createdAt.toISOString(), data })
    return { id: event.id, position: line.last_position + turn + 1, body, wallet_profile_id: walletProfileId }
  })
  await sql`
    with line as (
      update event_relay set last_position = ${line.last_position + events.length}, last_at = ${at}
    )
    update outbox o
    set position = r.position, body = r.body, wallet_profile_id = r.wallet_profile_id, relayed_at = ${at}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r(id bigint, position bigint, body text, wallet_profile_id bigint)
    where o.id = r.id
  `.execute(tx)
  await makeDeliveries(tx, events, at)
  return events.length
}

async function waitingEvents(tx: Tx): Promise<Waiting[]> {
  const rows = await tx
    .selectFrom('outbox')
    .select(['id', 'organization_id', 'event', 'object_type', 'object_id', 'data', 'created_at'])
    .where('relayed_at', 'is', null)
    .orderBy('id')
    .limit(BATCH)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    organizationId: row.organization_id,
    event: row.event,
    objectType: row.object_type,
    objectId: row.object_id,
    data: row.data,
    createdAt: row.created_at,
  }))
}

/** Objects whose room completes what the outbox kept; others are told as they were written. */
const TELLERS = new Map<string, (tx: Tx, events: readonly KeptEvent[]) => Promise<ReadonlyMap<number, ToldEvent>>>([
  ['operation', tellOperations],
  ['allocation', tellAllocations],
])

async function tellAll(
  tx: Tx,
  events: readonly Waiting[],
  { log }: Pick<RelayParts, 'log'>,
): Promise<ReadonlyMap<number, ToldEvent>> {
  const all = new Map<number, ToldEvent>()
  for (const [objectType, tell] of TELLERS) {
    const kept = events.filter((event) => event.objectType === objectType)
    const told = await tell(tx, kept)
    for (const event of kept) {
      const one = told.get(event.id)
      if (one) all.set(event.id, one)
      // One event of which something is missing must not keep the others back.
      else log.error({ eventId: event.id }, 'an event is told as it was kept: its object is not there')
    }
  }
  return all
}

async function makeDeliveries(tx: Tx, events: readonly Waiting[], at: Date): Promise<void> {
  const webhooks = await subscribers(tx, [...new Set(events.map(({ organizationId }) => organizationId))])
  const wanted = events.flatMap((event) =>
    webhooks
      .filter((webhook) => webhook.organization_id === event.organizationId && wants(webhook, event))
      .map((webhook) => ({ webhookId: webhook.id, event })),
  )
  if (wanted.length === 0) return
  const rows = wanted.map(({ webhookId, event }) => ({
    organization_id: event.organizationId,
    webhook_id: webhookId,
    event_id: event.id,
    event: event.event,
    object_type: event.objectType,
    object_id: event.objectId,
  }))
  await sql`
    insert into webhook_deliveries (organization_id, webhook_id, event_id, event, object_type, object_id, status,
      next_attempt_at, created_at)
    select r.organization_id, r.webhook_id, r.event_id, r.event, r.object_type, r.object_id, 'pending', ${at}, ${at}
    from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) with ordinality as row(value, turn),
      jsonb_to_record(row.value) as r(organization_id bigint, webhook_id bigint, event_id bigint, event text,
        object_type text, object_id bigint)
    order by row.turn
  `.execute(tx)
  await wake(tx, [...new Set(rows.map((row) => row.webhook_id))], at)
}

/**
 * The webhooks of these organizations that are sent to. Their rows stay locked until the deliveries are there: whoever
 * serves one of them must not find nothing to do, and then sleep over what is just being written.
 */
async function subscribers(tx: Tx, organizationIds: readonly number[]) {
  return await tx
    .selectFrom('webhooks')
    .innerJoin('organizations', 'organizations.id', 'webhooks.organization_id')
    .select(['webhooks.organization_id', 'webhooks.id', 'webhooks.events'])
    .where('webhooks.organization_id', 'in', organizationIds)
    .where('webhooks.disabled_at', 'is', null)
    .where('webhooks.deleted_at', 'is', null)
    .where('organizations.deleted_at', 'is', null)
    .orderBy('webhooks.id')
    .forNoKeyUpdate('webhooks')
    .execute()
}
