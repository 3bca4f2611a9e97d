import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { useFixture } from '../../../testing/use-fixture.ts'
import { openWebhookFixture } from '../../../testing/webhooks/webhook-fixture.ts'
import { inTransaction, type Tx } from '../../database/index.ts'
import { EVENT_RELAY_BATCH } from '../../kernel/index.ts'
import { listEvents } from '../events/list-events.ts'
import { relayEvents } from './relay-events.ts'
import { readNextEvents, takeFairShare } from './unrelayed-events.ts'

const yard = useFixture(openWebhookFixture)
beforeEach(() => yard.reset())

const published = async (organizationId: number, after: number | null = null) => {
  const scope = { organizationId, walletProfileId: null }
  return (await listEvents(yard.parts, scope, { after, limit: 100 })).events.map(({ id }) => id)
}

test('the events of one organization, however many, delay those of no other', async () => {
  const other = await yard.neighbour()
  const many = await yard.emitMany(3 * EVENT_RELAY_BATCH)
  const theirs = await yard.emitMany(2, other)
  const later = await yard.emitMany(1)
  await relayEvents(yard.parts)
  expect(await published(other)).toEqual(theirs)
  while ((await relayEvents(yard.parts)) > 0);
  expect(await published(yard.organizationId, many.at(-3)!)).toEqual([...many.slice(-2), ...later])
})

test('the deliveries of an organization with a hundred webhooks leave room for the events of others', async () => {
  for (let each = 0; each < 100; each += 1) await yard.webhook('http://127.0.0.1:9/')
  const other = await yard.neighbour()
  await yard.emitMany(200)
  const theirs = await yard.emitMany(60, other)
  await relayEvents(yard.parts)
  expect(await published(other)).toEqual(theirs)
  expect(await published(yard.organizationId)).not.toEqual([])
})

test('organizations share a transaction by the rows that they write, each in its order', () => {
  const eventsOf = (
    organizationId: number,
    { count, webhooks, first }: Record<'count' | 'webhooks' | 'first', number>,
  ) => Array.from({ length: count }, (_, index) => ({ organizationId, webhooks, id: first + index }))
  const wide = eventsOf(1, { count: 250, webhooks: 99, first: 1 })
  const narrow = eventsOf(2, { count: 250, webhooks: 9, first: 1_001 })
  const taken = takeFairShare([...wide, ...narrow])
  expect(taken).toEqual([...wide.slice(0, 25), ...narrow])
  expect(takeFairShare(wide), 'alone, it has all of it').toEqual(wide.slice(0, 50))
  expect(takeFairShare(eventsOf(3, { count: 2, webhooks: 9_999, first: 1 })), 'one is always taken').toHaveLength(1)
})

test('where more organizations wait than a transaction has events, those that wait longest are first', async () => {
  const { db } = yard.parts
  const organizations = await sql<{ id: number }>`
    insert into organizations (name, created_at)
    select 'Many', now() from generate_series(1, ${EVENT_RELAY_BATCH + 1}::int) returning id
  `.execute(db)
  await sql`
    insert into outbox (organization_id, event, object_type, object_id, data, created_at)
    select o, 'transaction.updated', 'ramp_transaction', 1, '{}', now()
    from unnest(${organizations.rows.map(({ id }) => id).toReversed()}::bigint[]) with ordinality as l(o, turn) order by turn
  `.execute(db)
  const page = await inTransaction(db, (tx) => readNextEvents(tx, []))
  expect(page.events).toHaveLength(EVENT_RELAY_BATCH)
  expect(page.events.some(({ organizationId }) => organizationId === organizations.rows[0]!.id)).toBe(false)
  expect(page.isMore).toBe(true)
})

test('a page looks up the organizations that wait, not the events before theirs', async () => {
  const { db } = yard.parts
  const other = await yard.neighbour()
  await yard.emitMany(20_000)
  await yard.emitMany(1, other)
  await sql`analyze outbox`.execute(db)
  const read = await inTransaction(db, async (tx) => {
    const earlier = await rowsRead(tx)
    await readNextEvents(tx, [])
    return (await rowsRead(tx)) - earlier
  })
  expect(read).toBeLessThan(2 * EVENT_RELAY_BATCH)
})

/** Rows of the outbox that this session read so far; it reports them between transactions only. */
async function rowsRead(tx: Tx): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as count from pg_stat_xact_user_tables
    where relname = 'outbox'
  `.execute(tx)
  return rows[0]!.count
}
