import { sql } from 'kysely'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { breakRows } from '../../../testing/database/break-rows.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { openWebhookFixture } from '../../../testing/webhooks/webhook-fixture.ts'
import { inTransaction } from '../../database/index.ts'
import { EVENT_BACKOFF_MS, EVENT_RELAY_DELIVERIES_MAX } from '../../kernel/index.ts'
import { webhookBacklog } from '../backlog.ts'
import { listEvents } from '../events/list-events.ts'
import { relayEvents } from './relay-events.ts'

const yard = useFixture(openWebhookFixture)
beforeEach(() => yard.reset())

/** PostgreSQL ends a statement that takes too long. */
const TIMEOUT = '57014'

async function published(organizationId = yard.organizationId): Promise<number[]> {
  const scope = { organizationId, walletProfileId: null }
  return (await listEvents(yard.parts, scope, { after: null, limit: 100 })).events.map(({ id }) => id)
}
const held = async () => (await webhookBacklog(yard.parts.db, yard.parts.clock.now())).held

/** Until the end of the test, deliveries time out where one statement writes more of them. */
async function slowDown(most: number): Promise<void> {
  const { db } = yard.parts
  await sql`
    create function refuse_many() returns trigger language plpgsql as ${sql.lit(
      `begin if (select count(*) from written) > ${most} then raise exception 'slow' using errcode = '${TIMEOUT}'; end if; return null; end`,
    )};
    create trigger refuse_many after insert on webhook_deliveries referencing new table as written
      for each statement execute function refuse_many()
  `.execute(db)
  onTestFinished(async () => {
    await sql`drop trigger refuse_many on webhook_deliveries; drop function refuse_many()`.execute(db)
  })
}

test('a page that takes longer than a statement may is published in parts, in order, and holds no event', async () => {
  for (let each = 0; each < 4; each += 1) await yard.webhook('http://127.0.0.1:9/')
  const ids: number[] = []
  for (let object = 1; object <= 10; object += 1) ids.push(...(await yard.emit(object, 'transaction.updated')))
  await slowDown(10)
  expect(await relayEvents(yard.parts)).toBe(10)
  expect(await published()).toEqual(ids)
  expect(await held()).toBe(0)
})

test('an event that alone runs into a time-out delays no other organization, and the later ones of its own wait', async () => {
  const other = await yard.neighbour()
  const bad = await yard.emit(1, 'transaction.updated')
  const theirs = await yard.emitMany(3, other)
  const later = await yard.emit(1, 'transaction.completed')
  const when = `new.relayed_at is not null and new.id = ${bad}`
  const repair = await breakRows(yard.parts.db, { table: 'outbox', when, sqlState: TIMEOUT })
  expect(await relayEvents(yard.parts)).toBe(3)
  expect(await published(other)).toEqual(theirs)
  expect(await published()).toEqual([])
  expect(await held(), 'a time-out is no fault of the event').toBe(0)

  // It is tried again at intervals; meanwhile a round costs others no time-out.
  const more = await yard.emitMany(2, other)
  expect(await relayEvents(yard.parts)).toBe(2)
  yard.parts.clock.advance(EVENT_BACKOFF_MS.first)
  expect(await relayEvents(yard.parts)).toBe(0)
  expect(await published(other)).toEqual([...theirs, ...more])
  await repair()
  yard.parts.clock.advance(EVENT_BACKOFF_MS.first)
  expect(await relayEvents(yard.parts), 'it rests longer after each time-out').toBe(0)
  yard.parts.clock.advance(EVENT_BACKOFF_MS.first)
  while ((await relayEvents(yard.parts)) > 0);
  expect(await published()).toEqual([...bad, ...later])
})

test('a webhook whose row somebody keeps holds up no event of another organization', async () => {
  const other = await yard.neighbour()
  const { id } = await yard.webhook('http://127.0.0.1:9/')
  const third = await yard.neighbour()
  const own = await yard.emitMany(50)
  const theirs = [await yard.emitMany(3, other), await yard.emitMany(3, third)]
  let waits = 0
  const db = yard.parts.db.withPlugin({
    transformQuery({ node }) {
      if (node.kind === 'RawNode' && node.sqlFragments.at(-1)!.endsWith('for no key update of w')) waits += 1
      return node
    },
    transformResult: async ({ result }) => result,
  })
  await inTransaction(yard.parts.db, async (tx) => {
    await sql`select from webhooks where id = ${id} for update`.execute(tx)
    expect(await relayEvents({ ...yard.parts, db })).toBe(6)
    expect([await published(other), await published(third)]).toEqual(theirs)
  })
  expect(waits, 'all, the others, the organization alone').toBe(3)
  expect(await published()).toEqual([])
  yard.parts.clock.advance(EVENT_BACKOFF_MS.first)
  while ((await relayEvents(yard.parts)) > 0);
  expect(await published()).toEqual(own)
  expect(await yard.deliveries(id)).toHaveLength(50)
})

test('a held event whose repetition runs into a time-out stops no round', async () => {
  const other = await yard.neighbour()
  const bad = await yard.emit(1, 'transaction.updated')
  const when = `new.relayed_at is not null and new.id = ${bad}`
  const repair = await breakRows(yard.parts.db, { table: 'outbox', when })
  await relayEvents(yard.parts)
  expect(await held()).toBe(1)
  await repair()
  const slow = await breakRows(yard.parts.db, { table: 'outbox', when, sqlState: TIMEOUT })
  yard.parts.clock.advance(3_600_000)
  const theirs = await yard.emitMany(2, other)
  expect(await relayEvents(yard.parts)).toBe(2)
  expect(await published(other)).toEqual(theirs)
  await slow()
  yard.parts.clock.advance(3_600_000)
  while ((await relayEvents(yard.parts)) > 0);
  yard.parts.clock.advance(1)
  while ((await relayEvents(yard.parts)) > 0);
  expect(await published()).toEqual(bad)
})

test('a database that times out on everything ends the round, and nothing is held', async () => {
  const other = await yard.neighbour()
  const ids = await yard.emit(1, ...Array(20).fill('transaction.updated'))
  await yard.emitMany(20, other)
  const when = 'new.relayed_at is not null'
  const repair = await breakRows(yard.parts.db, { table: 'outbox', when, sqlState: TIMEOUT })
  await expect(relayEvents(yard.parts)).rejects.toThrow('spoiled')
  await repair()
  expect(await held()).toBe(0)
  for (let round = 0; round < 4; round += 1) {
    await relayEvents(yard.parts)
    yard.parts.clock.advance(EVENT_BACKOFF_MS.max)
  }
  expect(await published()).toEqual(ids)
  expect(await published(other)).toHaveLength(20)
})

test('one transaction publishes as many events as it may write deliveries for, and says that there are more', async () => {
  for (let each = 0; each < 100; each += 1) await yard.webhook('http://127.0.0.1:9/')
  await yard.emitMany(60)
  const most = Math.floor(EVENT_RELAY_DELIVERIES_MAX / 101)
  let more = 0
  expect(await relayEvents(yard.parts, () => (more += 1))).toBe(most)
  expect(await relayEvents(yard.parts, () => (more += 1))).toBe(60 - most)
  expect(more).toBe(1)
})
