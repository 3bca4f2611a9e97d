import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { until } from '../../../testing/index.ts'
import { OBJECT, openWebhookFixture, type WebhookFixture } from '../../../testing/webhooks/webhook-fixture.ts'
import { labelOfPersonalFields } from '../../database/index.ts'
import { createSealer, keyRing, MissingKeyError } from '../../kernel/index.ts'
import { relayEvents } from '../delivery/relay-events.ts'
import type { WebhookParts } from '../parts.ts'
import { getEvent } from './get-event.ts'
import { listEvents, listEventsBefore, newestEvent } from './list-events.ts'
import { searchEvents } from './search-events.ts'

let yard: WebhookFixture
beforeEach(async () => {
  yard = await openWebhookFixture()
})
afterEach(() => yard.close())

const all = (after: number | null = null, limit = 100) =>
  listEvents(yard.parts, { organizationId: yard.organizationId, walletProfileId: null }, { after, limit })
const idsAfter = async (after: number | null) => (await all(after)).events.map(({ id }) => id)
const relayAll = async () => {
  while ((await relayEvents(yard.parts)) > 0);
}

test('a reader goes back from the newest event to the oldest', async () => {
  const ids = [...(await yard.emit(1, 'a', 'b')), ...(await yard.emit(2, 'c'))]
  await relayAll()
  const scope = { organizationId: yard.organizationId, walletProfileId: null }
  const before = async (id: number) => {
    const { events, ...page } = await listEventsBefore(yard.parts, scope, { before: id, limit: 2 })
    return { ids: events.map((event) => event.id), ...page }
  }
  expect(await before(0)).toEqual({ ids: [ids[2], ids[1]], cursor: ids[1], hasMore: true, isMissing: false })
  expect(await before(ids[1]!)).toEqual({ ids: [ids[0]], cursor: ids[0], hasMore: false, isMissing: false })
  expect((await before(ids[0]!)).ids).toEqual([])
  // As where the event is no longer stored, the one before it counts.
  expect((await before(ids[2]! + 5)).ids).toEqual([ids[1], ids[0]])
})

test('a reader does not miss an event that commits late', async () => {
  const { db } = yard.database
  const insert = (event: string) => sql<{ id: number }>`
    insert into outbox (organization_id, event, object_type, object_id, data, created_at)
    values (${yard.organizationId}, ${event}, ${OBJECT}, 1, '{}', ${yard.parts.clock.now()}) returning id`
  let commit = () => {}
  const mayCommit = new Promise<void>((resolve) => {
    commit = resolve
  })
  let early = 0
  const slow = db.transaction().execute(async (tx) => {
    early = (await insert('transaction.updated').execute(tx)).rows[0]!.id
    await mayCommit
  })
  await until(() => early > 0)
  const [late = 0] = await yard.emit(2, 'transaction.completed')
  expect(late).toBeGreaterThan(early)
  await relayAll()
  expect(await idsAfter(null)).toEqual([late])
  commit()
  await slow
  await relayAll()
  // It has the lower id and the later position.
  expect(await idsAfter(late)).toEqual([early])
  expect(await idsAfter(null)).toEqual([late, early])
  expect(await idsAfter(early)).toEqual([])
})

test('concurrent readers see every event once, in any order of commits', async () => {
  const seen: number[] = []
  let cursor: number | null = null
  let writing = true
  const written: number[] = []
  const writer = async (object: number) => {
    for (let each = 0; each < 15; each += 1) written.push(...(await yard.emit(object, 'transaction.updated')))
  }
  const relay = async () => {
    while (writing) await relayEvents(yard.parts)
  }
  const read = async () => {
    const page = await all(cursor, 7)
    seen.push(...page.events.map(({ id }) => id))
    cursor = page.cursor
    return page.hasMore
  }
  const reader = async () => {
    while (writing) await read()
  }
  const others = [relay(), relay(), reader()]
  await Promise.all([1, 2, 3, 4].map(writer))
  writing = false
  await Promise.all(others)
  await relayAll()
  while (await read());
  expect(seen.toSorted((a, b) => a - b)).toEqual(written.toSorted((a, b) => a - b))
  expect(new Set(seen).size).toBe(60)
})

test('a page reports whether there are more, and its cursor continues where it ended', async () => {
  const ids = await yard.emit(1, ...Array(5).fill('transaction.updated'))
  await relayAll()
  const first = await all(null, 2)
  expect([first.events.length, first.hasMore, first.cursor]).toEqual([2, true, ids[1]])
  const rest = await all(first.cursor, 3)
  expect([rest.events.length, rest.hasMore, rest.cursor]).toEqual([3, false, ids[4]])
  expect(await all(rest.cursor)).toEqual({ events: [], cursor: ids[4], hasMore: false, isMissing: false })
  expect(await newestEvent(yard.parts.db, { organizationId: yard.organizationId, walletProfileId: null })).toBe(ids[4])
})

test('a profile sees its wallets and the ramp; no organization sees another', async () => {
  const [ramp = 0, own = 0, others = 0, webhooks = 0] = await yard.emit(1, ...Array(4).fill('transaction.updated'))
  await relayAll()
  const change = (id: number, type: string, profile: number | null) =>
    yard.database.db
      .updateTable('outbox')
      .set({ object_type: type, wallet_profile_id: profile })
      .where('id', '=', id)
      .execute()
  await change(own, 'operation', 5)
  await change(others, 'operation', 6)
  await change(webhooks, 'webhook', null)
  const seenBy = async (organizationId: number, walletProfileId: number | null) => {
    const scope = { organizationId, walletProfileId }
    return (await listEvents(yard.parts, scope, { after: null, limit: 50 })).events.map(({ id }) => id)
  }
  expect(await seenBy(yard.organizationId, 5)).toEqual([ramp, own])
  expect(await seenBy(yard.organizationId, 6)).toEqual([ramp, others])
  expect(await seenBy(yard.organizationId, null)).toEqual([ramp, own, others, webhooks])
  expect(await seenBy(yard.organizationId + 1, null)).toEqual([])
})

test('an id beyond the last, as after a restored backup, continues with new events', async () => {
  const [first = 0] = await yard.emit(1, 'transaction.updated')
  await relayAll()
  const { events, cursor } = await all(first + 1_000)
  expect({ events, cursor }).toEqual({ events: [], cursor: first })
  const [second = 0] = await yard.emit(1, 'transaction.completed')
  await relayAll()
  expect(await idsAfter(cursor)).toEqual([second])
})

test('an event whose personal fields are damaged takes no other away from its page, and has null in their place', async () => {
  const named = { event: 'transaction.updated', data: { transaction_id: 1, customer_name: null } }
  const [first = 0, damaged = 0, last = 0] = await yard.emit(1, 'transaction.updated', named, 'transaction.updated')
  await relayAll()
  const personal = Buffer.from('damaged personal fields of an event')
  await yard.parts.db.updateTable('outbox').set({ personal }).where('id', '=', damaged).execute()
  const logged: string[] = []
  const log = { error: (_facts: unknown, message: string) => void logged.push(message) } as WebhookParts['log']
  const parts = { ...yard.parts, log }
  const scope = { organizationId: yard.organizationId, walletProfileId: null }
  const page = await listEvents(parts, scope, { after: null, limit: 10 })
  expect(page.events.map(({ id }) => id)).toEqual([first, damaged, last])
  expect(page.events[1]!.data).toEqual(named.data)
  const newest = await listEventsBefore(parts, scope, { before: 0, limit: 10 })
  const found = await searchEvents(parts, scope, { rampTransactionId: 1 }, { before: 0, limit: 10 })
  expect([newest.events, found.events]).toEqual([page.events.toReversed(), page.events.toReversed()])
  expect(await getEvent(parts, scope, damaged)).toEqual(page.events[1])
  expect(logged, 'once, however often it is read').toEqual(['failed to decrypt the personal fields of an event'])
})

test('a page with an event whose key the process lacks is refused, so that its reader does not pass it with null', async () => {
  const [id = 0] = await yard.emit(1, 'transaction.updated')
  await relayAll()
  const about = { organizationId: yard.organizationId, event: 'transaction.updated', objectType: OBJECT, objectId: 1 }
  const keys = keyRing([['b', 'b0'.repeat(32)]])
  const events = createSealer(keys, 'events', yard.parts.random)
  const personal = events.seal('{"customer_name":"Ada"}', labelOfPersonalFields(about))
  await yard.parts.db.updateTable('outbox').set({ personal }).where('id', '=', id).execute()
  await expect(all()).rejects.toThrow(MissingKeyError)
  const scope = { organizationId: yard.organizationId, walletProfileId: null }
  const page = await listEvents({ ...yard.parts, events }, scope, { after: null, limit: 10 })
  expect(page.events[0]!.data).toEqual({ transaction_id: 1, customer_name: 'Ada' })
})

test('a reader without ramp sees no event of ramp, in any read', async () => {
  const { db } = yard.database
  const { organizationId } = yard
  const [payment = 0] = await yard.emit(1, 'transaction.completed')
  const { rows } = await sql<{ id: number }>`
    insert into outbox (organization_id, event, object_type, object_id, data, created_at)
    values (${organizationId}, 'operation.completed', 'operation', 1, '{}', ${yard.parts.clock.now()}) returning id
  `.execute(db)
  const operation = rows[0]!.id
  await yard.emit(1, 'transaction.updated')
  await relayAll()
  const scope = { organizationId, walletProfileId: null, withoutRamp: true } as const
  const ids = ({ events }: { events: readonly { id: number }[] }) => events.map(({ id }) => id)
  expect(ids(await listEvents(yard.parts, scope, { after: null, limit: 10 }))).toEqual([operation])
  expect(ids(await listEventsBefore(yard.parts, scope, { before: 0, limit: 10 }))).toEqual([operation])
  expect(await newestEvent(db, scope)).toBe(operation)
  expect(ids(await listEvents(yard.parts, { ...scope, walletProfileId: 9 }, { after: null, limit: 10 }))).toEqual([])
  expect(await idsAfter(null)).toContain(payment)
})
