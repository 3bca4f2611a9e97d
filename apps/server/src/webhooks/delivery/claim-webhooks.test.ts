// Also tested in: webhooks/delivery/delivery-worker.test.ts (workers share the work, and a dead one's is taken over),
// webhooks/delivery/failing-endpoint.test.ts (the health that pauses an endpoint).

import { sql } from 'kysely'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { untilBlockedOrEnded } from '../../../testing/database/overlap.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { openWebhookFixture } from '../../../testing/webhooks/webhook-fixture.ts'
import { inTransaction } from '../../database/index.ts'
import { WEBHOOK_LEASE_MS } from '../../kernel/index.ts'
import { updateWebhook } from '../endpoints/update-webhook.ts'
import {
  type ClaimedWebhook,
  claimDueWebhooks,
  countWaitingWebhooks,
  releaseWebhook,
  renewLeases,
  saveHealth,
} from './claim-webhooks.ts'
import { relayEvents } from './relay-events.ts'
import { HEALTHY } from './retry-schedule.ts'

const yard = useFixture(openWebhookFixture)
beforeEach(() => yard.reset())

const URL = 'http://127.0.0.1:9/'
const claim = (lease: string, limit = 10, serving: number[] = []) =>
  claimDueWebhooks(yard.parts.db, lease, yard.parts.clock.now(), { limit, serving })
const idsOf = (claimed: readonly ClaimedWebhook[]) =>
  claimed.map(({ webhookId }) => webhookId).toSorted((a, b) => a - b)
const rowOf = (id: number) =>
  yard.parts.db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const inMs = (milliseconds: number) => new Date(yard.parts.clock.now().getTime() + milliseconds)

/** Webhooks with one due delivery each. */
async function dueWebhooks(count: number): Promise<number[]> {
  const ids: number[] = []
  for (let made = 0; made < count; made += 1) ids.push((await yard.webhook(URL)).id)
  await yard.emit(7, 'transaction.updated')
  await relayEvents(yard.parts)
  return ids
}

test('each due webhook is leased to one of several processes, and claimed again only after its lease', async () => {
  const ids = await dueWebhooks(4)
  const [first, second] = await Promise.all([claim('first', 2), claim('second', 2)])
  expect(idsOf([...first, ...second])).toEqual(ids)
  expect(await claim('third')).toEqual([])
  yard.parts.clock.advance(WEBHOOK_LEASE_MS - 1)
  expect(await claim('third')).toEqual([])
  yard.parts.clock.advance(1)
  expect(idsOf(await claim('third'))).toEqual(ids)
})

test('a lease of a process whose clock was far ahead is over', async () => {
  const ids = await dueWebhooks(1)
  yard.parts.clock.advance(2 * 3_600_000)
  await claim('ahead')
  yard.parts.clock.advance(-2 * 3_600_000)
  expect(idsOf(await claim('other'))).toEqual(ids)
})

test('a lease of a process whose clock is a little ahead holds', async () => {
  await dueWebhooks(1)
  yard.parts.clock.advance(WEBHOOK_LEASE_MS)
  await claim('ahead')
  yard.parts.clock.advance(-WEBHOOK_LEASE_MS)
  expect(await claim('other')).toEqual([])
})

test('the webhooks that were served the longest ago are claimed first, however long others are overdue', async () => {
  const [a, b, c, never] = await dueWebhooks(4)
  const set = (id: number, served: Date | null, due: Date) =>
    yard.parts.db.updateTable('webhooks').set({ served_at: served, due_at: due }).where('id', '=', id).execute()
  await set(a!, inMs(-1_000), inMs(-9_000))
  await set(b!, inMs(-5_000), inMs(-1))
  // A process with a wrong clock.
  await set(c!, inMs(3_600_000), inMs(-9_000))
  await set(never!, null, inMs(0))
  for (const next of [never, b, a, c]) expect(idsOf(await claim('one', 1))).toEqual([next])
  expect((await rowOf(a!)).served_at).toEqual(inMs(0))
})

test('organizations take turns, those first of which the process serves the fewest webhooks', async () => {
  const own = await dueWebhooks(6)
  const organizationId = await yard.neighbour()
  const theirs = [await yard.webhook(URL, { organizationId }), await yard.webhook(URL, { organizationId })]
  await yard.emitMany(1, organizationId)
  await relayEvents(yard.parts)
  const ids = theirs.map(({ id }) => id)
  expect(await countWaitingWebhooks(yard.parts.db, inMs(0), 100)).toBe(8)
  expect(await countWaitingWebhooks(yard.parts.db, inMs(0), 3)).toBe(3)
  expect(idsOf(await claim('one', 1, [yard.organizationId]))).toEqual([ids[0]])
  const rest = await claim('one', 3, [yard.organizationId, yard.organizationId, organizationId])
  expect(idsOf(rest)).toEqual([...own.slice(0, 2), ids[1]!].toSorted((a, b) => a - b))
  expect(idsOf(await claim('one'))).toEqual(own.slice(2))
  expect(await countWaitingWebhooks(yard.parts.db, inMs(0), 100)).toBe(0)
})

test('the longest overdue webhooks of those that were never served are claimed first', async () => {
  const [a, b, c] = await dueWebhooks(3)
  const dueAt = (id: number, at: Date) =>
    yard.parts.db.updateTable('webhooks').set({ due_at: at }).where('id', '=', id).execute()
  await dueAt(c!, inMs(-3_000))
  await dueAt(a!, inMs(-2_000))
  expect(idsOf(await claim('one', 2))).toEqual([a, c])
  expect(idsOf(await claim('one', 2))).toEqual([b])
})

test('a webhook that is not due, disabled or deleted, or whose organization is deleted, is not claimed', async () => {
  const [later, disabled, deleted, claimed] = await dueWebhooks(4)
  const set = (id: number, columns: object) =>
    yard.parts.db.updateTable('webhooks').set(columns).where('id', '=', id).execute()
  await set(later!, { due_at: inMs(1) })
  await set(disabled!, { disabled_at: inMs(0) })
  await set(deleted!, { deleted_at: inMs(0) })
  expect(idsOf(await claim('one'))).toEqual([claimed])
  await yard.parts.db
    .updateTable('organizations')
    .set({ deleted_at: inMs(0) })
    .execute()
  yard.parts.clock.advance(WEBHOOK_LEASE_MS)
  expect(await claim('one')).toEqual([])
})

test('a process renews its own leases and no other', async () => {
  const ids = await dueWebhooks(2)
  const [mine] = await claim('mine', 1)
  const [theirs] = await claim('theirs', 1)
  yard.parts.clock.advance(WEBHOOK_LEASE_MS - 1)
  await renewLeases(yard.parts.db, 'mine', ids, yard.parts.clock.now())
  yard.parts.clock.advance(1)
  expect(idsOf(await claim('third'))).toEqual([theirs!.webhookId])
  expect((await rowOf(mine!.webhookId)).lease).toBe('mine')
})

test('a released webhook is due when its next delivery is, but not before its pause is over', async () => {
  const [id] = await dueWebhooks(1)
  const [claimed] = await claim('mine')
  const retryAt = inMs(5_000)
  await yard.parts.db.updateTable('webhook_deliveries').set({ next_attempt_at: retryAt }).execute()
  await releaseWebhook(yard.parts.db, claimed!)
  expect(await rowOf(id!)).toMatchObject({ lease: null, leased_until: null, due_at: retryAt })
  yard.parts.clock.advance(5_000)
  const [again] = await claim('mine')
  const pausedUntil = inMs(60_000)
  await saveHealth(yard.parts.db, again!, { url: URL, from: again!, to: { ...HEALTHY, failures: 5, pausedUntil } })
  await releaseWebhook(yard.parts.db, again!)
  expect((await rowOf(id!)).due_at).toEqual(pausedUntil)
})

test('a webhook without pending deliveries is released as not due', async () => {
  const [id] = await dueWebhooks(1)
  const [claimed] = await claim('mine')
  await yard.parts.db.updateTable('webhook_deliveries').set({ status: 'delivered', next_attempt_at: null }).execute()
  await releaseWebhook(yard.parts.db, claimed!)
  expect(await rowOf(id!)).toMatchObject({ lease: null, due_at: null })
})

test('deliveries that are written while their webhook is released are not missed', async () => {
  const [id] = await dueWebhooks(1)
  const [claimed] = await claim('mine')
  const { db } = yard.parts
  await db.updateTable('webhook_deliveries').set({ status: 'delivered', next_attempt_at: null }).execute()
  await yard.emit(7, 'transaction.completed')
  await sql`
    create function hold_commit() returns trigger language plpgsql
      as 'begin perform pg_advisory_xact_lock(4711); return null; end';
    create constraint trigger hold_commit after insert on webhook_deliveries deferrable initially deferred
      for each row execute function hold_commit()
  `.execute(db)
  onTestFinished(async () => {
    await sql`drop trigger hold_commit on webhook_deliveries; drop function hold_commit`.execute(db)
  })
  const ending: Promise<unknown>[] = []
  await inTransaction(db, async (tx) => {
    // The relay has written the delivery, and waits at its commit.
    await sql`select pg_advisory_xact_lock(4711)`.execute(tx)
    const relay = relayEvents(yard.parts)
    await untilBlockedOrEnded(db, relay)
    const release = releaseWebhook(db, claimed!)
    await untilBlockedOrEnded(db, release, 2)
    ending.push(relay, release)
  })
  await Promise.all(ending)
  expect(await rowOf(id!)).toMatchObject({ lease: null, due_at: yard.parts.clock.now() })
})

test('a process whose lease was taken over releases nothing', async () => {
  const [id] = await dueWebhooks(1)
  const [claimed] = await claim('dead')
  yard.parts.clock.advance(WEBHOOK_LEASE_MS)
  await claim('alive')
  const before = await rowOf(id!)
  await releaseWebhook(yard.parts.db, claimed!)
  expect(await rowOf(id!)).toEqual(before)
})

test('the health of an endpoint is read with the next claim, and discarded if the URL has changed', async () => {
  const [id] = await dueWebhooks(1)
  const [claimed] = await claim('mine')
  const health = { failures: 3, failingSince: inMs(-1_000), failingAt: inMs(0), pausedUntil: null }
  expect(await saveHealth(yard.parts.db, claimed!, { url: URL, from: claimed!, to: health })).toBe(true)
  await releaseWebhook(yard.parts.db, claimed!)
  const [again] = await claim('mine')
  expect(again!.health).toEqual(health)
  await updateWebhook(yard.parts, { organizationId: yard.organizationId, webhookId: id! }, { url: `${URL}new` })
  const later = { url: URL, from: again!, to: { ...health, failures: 4 } }
  expect(await saveHealth(yard.parts.db, again!, later)).toBe(false)
  expect(await rowOf(id!)).toMatchObject({ failures: 0, failing_since: null, failing_at: null })
})

test('the health that an attempt found is discarded if the webhook was enabled again meanwhile', async () => {
  const [id] = await dueWebhooks(1)
  const [claimed] = await claim('mine')
  const health = { failures: 3, failingSince: inMs(-1_000), failingAt: inMs(0), pausedUntil: null }
  await saveHealth(yard.parts.db, claimed!, { url: URL, from: claimed!, to: health })
  const webhook = { organizationId: yard.organizationId, webhookId: id! }
  await updateWebhook(yard.parts, webhook, { enabled: false })
  await updateWebhook(yard.parts, webhook, { enabled: true })
  const later = { url: URL, from: { ...claimed!, health }, to: { ...health, failures: 4 } }
  expect(await saveHealth(yard.parts.db, claimed!, later)).toBe(false)
  expect(await rowOf(id!)).toMatchObject({ failures: 0, failing_since: null, failing_at: null })
})

test('the first failure of an attempt that was in flight is discarded, too', async () => {
  const [id] = await dueWebhooks(1)
  const [claimed] = await claim('mine')
  yard.parts.clock.advance(1)
  const webhook = { organizationId: yard.organizationId, webhookId: id! }
  await updateWebhook(yard.parts, webhook, { enabled: false })
  await updateWebhook(yard.parts, webhook, { enabled: true })
  const to = { failures: 1, failingSince: inMs(0), failingAt: inMs(0), pausedUntil: null }
  expect(await saveHealth(yard.parts.db, claimed!, { url: URL, from: claimed!, to })).toBe(false)
  expect(await rowOf(id!)).toMatchObject({ failures: 0, failing_since: null, failing_at: null })
})
