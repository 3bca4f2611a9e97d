import { sql } from 'kysely'
import { type Database, emit, inTransaction } from '../../src/database/index.ts'
import { createSealer, ManualClock, silentLog, systemRandomSource } from '../../src/kernel/index.ts'
import {
  type CreatedWebhook,
  createDeliveryWorker,
  createWebhook,
  type Delivery,
  type DeliveryWorker,
  listDeliveries,
  relayEvents,
  type WebhookParts,
} from '../../src/webhooks/index.ts'
import { type TestDatabase, testDatabase } from '../index.ts'
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts'

/** Webhooks of one organization on a separate database, with a clock that only moves when a test moves it. */
export interface WebhookFixture {
  readonly parts: WebhookParts & { readonly clock: ManualClock }
  readonly database: TestDatabase
  readonly organizationId: number
  receiver(): Promise<WebhookReceiver>
  webhook(url: string, more?: { events?: string[]; organizationId?: number }): Promise<CreatedWebhook>
  /** A delivery worker, as in another process. */
  deliverer(parts?: Partial<WebhookParts>): DeliveryWorker
  /** Writes events of one object, each in its own transaction; returns their ids. */
  emit(objectId: number, ...events: (string | { event: string; data: Record<string, unknown> })[]): Promise<number[]>
  /** Another organization. */
  neighbour(): Promise<number>
  /** Writes one event of each of so many objects of an organization, at once; returns their ids. */
  emitMany(count: number, organizationId?: number): Promise<number[]>
  /** Sequences events and delivers until nothing is due. */
  deliver(): Promise<void>
  deliveries(webhookId: number): Promise<Delivery[]>
  /** Removes webhooks, events and deliveries, for the next test: much faster than another database. */
  reset(): Promise<void>
  close(): Promise<void>
}

/** Test objects use the ramp's type, whose events are delivered as written. */
export const OBJECT = 'ramp_transaction'

export async function openWebhookFixture(): Promise<WebhookFixture> {
  const database = await testDatabase()
  const { db } = database
  const clock = new ManualClock(new Date('2026-03-01T10:00:00Z'))
  const parts = {
    db,
    clock,
    log: silentLog,
    random: systemRandomSource,
    sealer: createSealer('5e'.repeat(32), 'webhooks', systemRandomSource),
    events: createSealer('5e'.repeat(32), 'events', systemRandomSource),
    rules: { allowLocal: true, allowed: [] },
  }
  const organizationId = await newOrganization(db, clock.now())
  const sinks: WebhookReceiver[] = []
  const deliverers: DeliveryWorker[] = []
  const ours = createDeliveryWorker(parts)
  deliverers.push(ours)

  return {
    parts,
    database,
    organizationId,
    async receiver() {
      const sink = await startWebhookReceiver()
      sinks.push(sink)
      return sink
    },
    webhook: (url, { events = ['*'], organizationId: of = organizationId } = {}) =>
      createWebhook(parts, { organizationId: of, url, events }),
    deliverer(more = {}) {
      const one = createDeliveryWorker({ ...parts, ...more })
      deliverers.push(one)
      return one
    },
    async emit(objectId, ...events) {
      const ids: number[] = []
      for (const one of events) {
        const { event, data } = typeof one === 'string' ? { event: one, data: { transaction_id: objectId } } : one
        const told = { organizationId, event, objectType: OBJECT, objectId, data, at: clock.now() }
        ids.push(...(await inTransaction(db, (tx) => emit(tx, [told]))))
      }
      return ids
    },
    neighbour: () => newOrganization(db, clock.now()),
    async emitMany(count, of = organizationId) {
      const { rows } = await sql<{ id: number }>`
        insert into outbox (organization_id, event, object_type, object_id, data, created_at)
        select ${of}, 'transaction.updated', ${OBJECT}, n, '{}', ${clock.now()} from generate_series(1, ${count}::int) n
        returning id
      `.execute(db)
      return rows.map(({ id }) => id)
    },
    async deliver() {
      while ((await relayEvents(parts)) > 0);
      do await ours.onIdle()
      while ((await ours.runOnce()) > 0)
      await ours.onIdle()
    },
    async deliveries(webhookId) {
      return (
        await listDeliveries(db, { organizationId, webhookId }, { limit: 100, offset: 0 })
      ).deliveries.toReversed()
    },
    async reset() {
      await sql`truncate webhook_deliveries, webhook_old_secrets, webhooks, held_events, outbox, deleted_events`.execute(
        db,
      )
      await db.updateTable('organizations').set({ deleted_at: null }).execute()
    },
    async close() {
      await Promise.all(sinks.map((sink) => sink.close()))
      for (const one of deliverers) await one.stop()
      await database.close()
    },
  }
}

/** Inserts an organization: webhooks need only its row. */
async function newOrganization(db: Database, at: Date): Promise<number> {
  const row = { name: 'Acme', created_at: at }
  return (await db.insertInto('organizations').values(row).returning('id').executeTakeFirstOrThrow()).id
}
