import { once } from 'node:events'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type IdentityFixture, identityFixture, organization } from '../../../../testing/identity/identity-fixture.ts'
import { until } from '../../../../testing/index.ts'
import { openEventStream } from '../../../../testing/surfaces/open-event-stream.ts'
import { serveEvents, tellEvent } from '../../../../testing/surfaces/serve-events.ts'
import { emit, inTransaction } from '../../../database/index.ts'
import { authenticatorOf, createProfile, deleteKey, generateKey } from '../../../identity/index.ts'
import { EVENT_STREAMS_PER_CREDENTIAL_MAX, EVENT_STREAMS_PER_ORGANIZATION_MAX } from '../../../kernel/index.ts'
import type { App } from '../index.ts'

let parts: IdentityFixture
let app: App
let url: string
let owner: Awaited<ReturnType<typeof organization>>
let key: Awaited<ReturnType<typeof generateKey>>
let organizationId: number

async function serve(): Promise<void> {
  ;({ app, url } = await serveEvents(parts, authenticatorOf(parts)))
}

beforeAll(async () => {
  parts = await identityFixture()
  await serve()
})
afterAll(async () => {
  await app.close()
  await parts.close()
})
beforeEach(async () => {
  owner = await organization(parts)
  organizationId = owner.organization.id
  key = await generateKey(parts, { organizationId, name: 'reader' })
})

const tell = (objectId: number, event = 'transaction.updated', name = 'line\nbreak 漢字') =>
  tellEvent(parts, { organizationId, event, objectId, data: { transaction_id: objectId, name } })
const openStream = (path: string, headers: Record<string, string>) => openEventStream(url + path, headers)
type Stream = Awaited<ReturnType<typeof openStream>>
const ids = (stream: Stream) => stream.frames().map(({ id }) => id)
const begun = (stream: Stream) => until(() => stream.text().startsWith('retry: 2000\nid: '))
const withKey = () => ({ 'x-api-key': key.apiKey })
const withToken = () => ({ authorization: `Bearer ${owner.accessToken}` })

interface EventPage {
  readonly events: readonly { readonly id: number }[]
  readonly cursor: number
  readonly hasMore: boolean
}

test('no text in an event can look like a line end to a client', async () => {
  const name = 'a\u0085b\u2028c\u2029d\r\ne'
  const stream = await openStream('/v1/events', withKey())
  await begun(stream)
  await tell(1, 'transaction.updated', name)
  await until(() => stream.frames().length === 1)
  expect(stream.frames()[0]!.data.data).toMatchObject({ name })
  expect(stream.text()).not.toMatch(/[\u0085\u2028\u2029\r]/)
  stream.leave()
})

test('a stream starts with the next event, says after which one, and carries the same events as the list', async () => {
  const first = await tell(1)
  const stream = await openStream('/v1/events', withKey())
  expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
  await begun(stream)
  expect(stream.text()).toBe(`retry: 2000\nid: ${first}\n\n`)
  const second = await tell(2, 'transaction.completed')
  await until(() => stream.frames().length === 1)
  const third = await tell(3)
  await until(() => stream.frames().length === 2)
  expect(ids(stream)).toEqual([second, third])
  expect(stream.frames().map(({ event }) => event)).toEqual(['transaction.completed', 'transaction.updated'])
  const list = await fetch(`${url}/v1/events?limit=2`, { headers: withKey() })
  const page = (await list.json()) as { events: object[]; cursor: number; hasMore: boolean }
  expect([page.events.length, page.cursor, page.hasMore]).toEqual([2, second, true])
  expect(page.events[1]).toEqual(stream.frames()[0]!.data)
  const core = await fetch(`${url}/api/core/events?after=${second}`, { headers: withToken() })
  expect(await core.json()).toEqual({
    success: true,
    data: { events: [stream.frames()[1]!.data], cursor: third, hasMore: false },
  })
  stream.leave()
})

test('members read events from the newest to the oldest, page by page', async () => {
  const told = [await tell(1), await tell(2), await tell(3)]
  const page = async (query: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${url}/api/core/events?${query}`, { headers: { ...withToken(), ...headers } })
    return { status: response.status, ...((await response.json()) as { data?: EventPage }).data }
  }
  const newest = await page('before=0&limit=2')
  expect(newest.events?.map(({ id }) => id)).toEqual([told[2], told[1]])
  expect(newest).toMatchObject({ cursor: told[1], hasMore: expect.any(Boolean) })
  const older = await page(`before=${newest.cursor}&limit=1`)
  expect(older.events?.map(({ id }) => id)).toEqual([told[0]])
  expect((await page(`before=0&after=${told[0]}`)).status).toBe(400)
  expect((await page('before=0', { accept: 'text/event-stream' })).status).toBe(400)
})

test('a client that reconnects with Last-Event-ID misses no event and gets none twice', async () => {
  const told: number[] = []
  for (let object = 1; object <= 230; object += 1) told.push(await tell(object))
  const stream = await openStream('/v1/events', { ...withKey(), 'last-event-id': String(told[9]) })
  await until(() => stream.frames().length >= 220)
  expect(ids(stream)).toEqual(told.slice(10))
  stream.leave()
  const byQuery = await openStream(`/api/core/events?after=${told[228]}`, withToken())
  await until(() => byQuery.frames().length === 1)
  expect(ids(byQuery)).toEqual([told[229]])
  byQuery.leave()
  const wrong = await openStream('/v1/events', { ...withKey(), 'last-event-id': 'abc' })
  expect(wrong.status).toBe(400)
})

test('the list and the stream tell a reader when events before it were deleted', async () => {
  const newest = await tell(1)
  await parts.db.insertInto('deleted_events').values({ organization_id: organizationId, last_event_id: 2 }).execute()
  const list = await fetch(`${url}/v1/events?after=1`, { headers: withKey() })
  expect(await list.json()).toMatchObject({ events: [{ id: newest }], cursor: newest, missed: true })
  const stream = await openStream('/v1/events?after=1', withKey())
  await until(() => stream.frames().length === 1)
  expect(stream.text()).toContain(': events after 1 were deleted because of their age\n\n')
  stream.leave()
  const next = await fetch(`${url}/v1/events?after=${newest}`, { headers: withKey() })
  expect(await next.json()).toEqual({ events: [], cursor: newest, hasMore: false })
})

test('an organization gets no events of another', async () => {
  const stranger = await organization(parts)
  const theirs = await openStream('/api/core/events', { authorization: `Bearer ${stranger.accessToken}` })
  const ours = await openStream('/v1/events', withKey())
  await Promise.all([begun(theirs), begun(ours)])
  const first = await tell(1)
  await until(() => ours.frames().length === 1)
  const own = { organizationId, organization: organizationId }
  organizationId = stranger.organization.id
  const second = await tell(2)
  organizationId = own.organizationId
  await until(() => theirs.frames().length === 1)
  expect([ids(ours), ids(theirs)]).toEqual([[first], [second]])
  ours.leave()
  theirs.leave()
})

test('a deleted key receives no further events', async () => {
  const stream = await openStream('/v1/events', withKey())
  await begun(stream)
  const heard = await tell(1)
  await until(() => stream.frames().length === 1)
  await deleteKey(parts, organizationId, key.id)
  await tell(2)
  await until(() => stream.hasEnded())
  expect(ids(stream)).toEqual([heard])
  expect((await openStream('/v1/events', withKey())).status).toBe(403)
})

test('a profile key receives events of the ramp, and none of webhooks', async () => {
  const { id: walletProfileId } = await createProfile(parts, organizationId, { name: 'other' })
  const profileKey = await generateKey(parts, { organizationId, name: 'profile', walletProfileId })
  const stream = await openStream('/v1/events', { 'x-api-key': profileKey.apiKey })
  await begun(stream)
  const one = { organizationId, event: 'webhook.test', objectType: 'webhook', objectId: 1, data: {}, at: new Date(0) }
  await inTransaction(parts.db, (tx) => emit(tx, [one]))
  const heard = await tell(1)
  await until(() => stream.frames().length > 0)
  expect(ids(stream)).toEqual([heard])
  stream.leave()
})

/** As many keys as an organization needs to hold all its streams. */
async function keysForAll(): Promise<{ 'x-api-key': string }[]> {
  const keys: { 'x-api-key': string }[] = []
  for (let open = 0; open < EVENT_STREAMS_PER_ORGANIZATION_MAX; open += EVENT_STREAMS_PER_CREDENTIAL_MAX) {
    const { apiKey } = await generateKey(parts, { organizationId, name: `reader ${open}` })
    keys.push({ 'x-api-key': apiKey })
  }
  return keys
}
const openAtOnce = (count: number, headers: Record<string, string>) =>
  Promise.all(Array.from({ length: count }, () => openStream('/v1/events', headers)))

test('too many streams of one organization are rejected until one of them ends', async () => {
  const streams: Stream[] = []
  for (const each of await keysForAll()) streams.push(...(await openAtOnce(EVENT_STREAMS_PER_CREDENTIAL_MAX, each)))
  const refused = await fetch(`${url}/v1/events`, { headers: { accept: 'text/event-stream', ...withKey() } })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '15'])
  const body = { code: 'RATE_LIMIT_EXCEEDED', details: { retryAfterSeconds: 15 } }
  expect(await refused.json()).toMatchObject({ ...body, message: expect.stringContaining('An organization') })
  streams[0]!.leave()
  await until(async () => {
    const stream = await openStream('/v1/events', withKey())
    stream.leave()
    return stream.status === 200
  })
  for (const stream of streams) stream.leave()
})

test('one credential holds some of the streams, and leaves the others of its organization theirs', async () => {
  const streams = await openAtOnce(EVENT_STREAMS_PER_CREDENTIAL_MAX + 5, withKey())
  expect(streams.filter(({ status }) => status === 429)).toHaveLength(5)
  const other = await openStream('/api/core/events', withToken())
  expect(other.status).toBe(200)
  for (const stream of [...streams, other]) stream.leave()
})

test('streams that open at once do not exceed the limit together', async () => {
  const keys = [...(await keysForAll()), withKey()]
  const streams = await Promise.all(keys.map((headers) => openAtOnce(EVENT_STREAMS_PER_CREDENTIAL_MAX, headers)))
  const refused = streams.flat().filter(({ status }) => status === 429)
  await Promise.all(streams.flat().map((stream) => stream.leave()))
  expect(refused).toHaveLength(keys.length * EVENT_STREAMS_PER_CREDENTIAL_MAX - EVENT_STREAMS_PER_ORGANIZATION_MAX)
})

test('a stop ends streams at once', async () => {
  const streams = [await openStream('/v1/events', withKey()), await openStream('/api/core/events', withToken())]
  for (const stream of streams) await begun(stream)
  const closed = once(app.server, 'close')
  const closing = app.close()
  for (const stream of streams) await until(() => stream.hasEnded())
  await Promise.all([closing, closed])
  await serve()
})

test('a filter lists what matches, newest first, and goes with neither after nor a stream', async () => {
  const first = await tell(7)
  await tell(8)
  const failed = await tell(7, 'transaction.failed')
  const authorization = `Bearer ${owner.accessToken}`
  const read = async (query: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${url}/api/core/events?${query}`, { headers: { authorization, ...headers } })
    return { status: response.status, body: (await response.json()) as never }
  }
  const ids = ({ body }: { body: { data: { events: { id: number }[] } } }) => body.data.events.map(({ id }) => id)
  const found = await read('rampTransactionId=7')
  expect(ids(found)).toEqual([failed, first])
  expect(found.body).toMatchObject({ data: { hasMore: false, searchedTo: expect.any(String) } })
  expect(ids(await read('event=Transaction.Failed&walletId=1'))).toEqual([])
  expect(ids(await read('event=Transaction.Failed&before=0'))).toEqual([failed])
  const refused = { status: 400, body: { code: 'VALIDATION_ERROR' } }
  const filters = ['event=bogus', 'operationId=0', 'from=yesterday', `event=transaction.failed&after=${first}`]
  for (const query of filters) expect(await read(query), query).toMatchObject(refused)
  for (const query of ['event=transaction.failed', 'before=0'])
    expect(await read(query, { accept: 'text/event-stream' }), query).toMatchObject(refused)
})
