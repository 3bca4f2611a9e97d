import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { OBJECT, openWebhookFixture, type WebhookFixture } from '../../../testing/webhooks/webhook-fixture.ts'
import { EVENT_SEARCH_ROWS } from '../../kernel/index.ts'
import { relayEvents } from '../delivery/relay-events.ts'
import { type EventFilter, searchEvents } from './search-events.ts'

let yard: WebhookFixture
beforeEach(async () => {
  yard = await openWebhookFixture()
})
afterEach(() => yard.close())

const search = async (filter: EventFilter, { before = 0, limit = 10 } = {}) => {
  const scope = { organizationId: yard.organizationId, walletProfileId: null }
  const { events, ...page } = await searchEvents(yard.parts, scope, filter, { before, limit })
  return { ids: events.map(({ id }) => id), ...page }
}
const relayAll = async () => {
  while ((await relayEvents(yard.parts)) > 0);
}

test('events are found by name, object, wallet and time, newest first, and read to their end', async () => {
  const { clock } = yard.parts
  const of = (event: string, walletId: number) => ({ event, data: { walletId } })
  const [first] = await yard.emit(1, of('transaction.updated', 7))
  clock.advance(3_600_000)
  const between = clock.now()
  const [second, third] = await yard.emit(2, of('transaction.updated', 8), of('transaction.failed', 7))
  clock.advance(3_600_000)
  const [fourth] = await yard.emit(1, of('transaction.failed', 8))
  await relayAll()
  const cases: [filter: EventFilter, ids: (number | undefined)[]][] = [
    [{ event: 'transaction.failed' }, [fourth, third]],
    [{ rampTransactionId: 1 }, [fourth, first]],
    [{ operationId: 1 }, []],
    [{ operationId: 1, rampTransactionId: 1 }, []],
    [{ walletId: 7 }, [third, first]],
    [{ walletId: 7, event: 'transaction.failed' }, [third]],
    [{ until: between }, [first]],
    [{ from: between }, [fourth, third, second]],
    [{ from: between, until: clock.now() }, [third, second]],
    [{ until: new Date(0) }, []],
  ]
  for (const [filter, ids] of cases)
    expect(await search(filter), JSON.stringify(filter)).toMatchObject({ ids, hasMore: false })
  const one = await search({ event: 'transaction.failed' }, { limit: 1 })
  expect(one).toMatchObject({ ids: [fourth], hasMore: true, cursor: fourth, searchedTo: clock.now() })
  expect(await search({ event: 'transaction.failed' }, { limit: 1, before: one.cursor })).toMatchObject({
    ids: [third],
    hasMore: false,
  })
})

test('a rare event among many is found in several bounded reads, and a time is gone to at once', async () => {
  const { organizationId, database, parts } = yard
  const day = (count: number) => new Date(parts.clock.now().getTime() + count * 86_400_000)
  await sql`
    insert into outbox (organization_id, event, object_type, object_id, data, created_at)
    select ${organizationId}, case n when 1 then 'transaction.failed' else 'transaction.updated' end, ${OBJECT}, n,
      '{}', ${parts.clock.now()}::timestamptz + n * interval '10 seconds'
    from generate_series(1, ${EVENT_SEARCH_ROWS + 50}) n
  `.execute(database.db)
  await relayAll()
  const rare = { event: 'transaction.failed' }
  const nothing = await search(rare)
  expect(nothing).toMatchObject({ ids: [], hasMore: true })
  expect(nothing.searchedTo!.getTime()).toBeGreaterThan(parts.clock.now().getTime())
  const rest = await search(rare, { before: nothing.cursor })
  expect(rest).toMatchObject({ hasMore: false })
  expect(rest.ids).toHaveLength(1)
  // The newest events are not read for what is older than all but a few of them.
  expect(await search({ ...rare, until: day(0.01) })).toMatchObject({ ids: rest.ids, hasMore: false })
  expect(await search({ ...rare, from: day(1.1) })).toMatchObject({ ids: [], hasMore: false })
  expect(await search({ ...rare, from: day(0.5), until: day(0.51) })).toMatchObject({ ids: [], hasMore: false })
})

test('events of another organization are not found', async () => {
  await yard.emit(1, 'transaction.updated')
  await relayAll()
  const scope = { organizationId: yard.organizationId + 1, walletProfileId: null }
  expect(await searchEvents(yard.parts, scope, { rampTransactionId: 1 }, { before: 0, limit: 10 })).toEqual({
    events: [],
    cursor: 0,
    hasMore: false,
    searchedTo: null,
  })
})
