import { once } from 'node:events'
import { type IncomingMessage, request as send } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import Type from 'typebox'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sendAndLeave } from '../../../../testing/surfaces/send-and-leave.ts'
import type { KeyCredential } from '../../../identity/index.ts'
import { Failure, STREAMED_LISTS_MAX, STREAMED_LISTS_PER_CREDENTIAL_MAX } from '../../../kernel/index.ts'
import type { App } from '../app.ts'
import { beforeQuery, optionalPerPageQuery, pageQuery } from '../schemas/pagination.ts'
import { type TestServer, testServer, v1Read } from '../server/test-server.ts'

/** Rows of every list, newest first. */
const ROWS = 450
const ids = (from: number, count: number) =>
  Array.from({ length: Math.max(0, Math.min(count, from)) }, (_, at) => ({ id: from - at }))

let server: TestServer
let reads: Record<string, unknown>[]
let isRevoked: boolean
let holds: Promise<void> | undefined

beforeEach(async () => {
  reads = []
  isRevoked = false
  holds = undefined
  server = await testServer(routes)
})
afterEach(() => server.app.close())

function routes(app: App): void {
  const list = (path: string, query: object, respond: (query: Record<string, number>) => unknown, response = {}) => {
    const schema = { querystring: Type.Object(query as never), response }
    app.get(path, { config: v1Read, schema }, async (request, reply) => {
      if (isRevoked) throw new Failure('FORBIDDEN')
      const asked = request.query as Record<string, number>
      reads.push(asked)
      await holds
      reply.header('X-Total-Count', ROWS)
      return respond(asked) as never
    })
  }
  list('/v1/by-offset', { ...pageQuery, ...optionalPerPageQuery }, ({ offset, limit }) => ({
    rows: ids(ROWS - offset!, limit!),
    total: ROWS,
  }))
  list('/v1/by-id', { ...pageQuery, ...beforeQuery, only: Type.Optional(Type.String()) }, ({ before, limit }) => ({
    success: true,
    data: ids(Math.min(ROWS, before! - 1), limit!),
  }))
  const page = { limit: pageQuery.limit, after: Type.Optional(Type.Integer()) }
  const events = (list: { id: number }[]) => ({
    events: list,
    cursor: list.at(-1)?.id,
    hasMore: list.at(-1)!.id > 1,
    secret: 'not in the schema',
  })
  const json = Type.Object({ events: Type.Array(Type.Object({ id: Type.Integer() })) })
  const content = { 'application/json': { schema: json }, 'text/event-stream': { schema: Type.String() } }
  list('/v1/after', page, ({ after, limit }) => events(ids((after ?? ROWS + 1) - 1, limit!)), { 200: json })
  list(
    '/v1/newest',
    { ...page, before: Type.Optional(Type.Integer()) },
    // Rows after one are fewer than a page.
    ({ before, after, limit }) =>
      after === undefined
        ? events(ids((before || ROWS + 1) - 1, limit!))
        : { events: ids(ROWS, ROWS - after), hasMore: false },
    { 200: { description: 'Events.', content } },
  )
  list('/v1/cursor', { limit: pageQuery.limit, cursor: Type.Optional(Type.String()) }, ({ cursor, limit }) => {
    const found = ids(Number(cursor ?? ROWS + 1) - 1, limit!)
    return {
      success: true,
      data: { events: found, nextCursor: found.at(-1)!.id > 1 ? String(found.at(-1)!.id) : null },
    }
  })
}

const whole = (url: string, key = 'organization-key') =>
  server.app.inject({ url, headers: { 'x-api-key': key, accept: 'application/x-ndjson' } })
const pagesOf = (body: string) =>
  body
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
const rowsIn = (page: { data?: { events?: [] } | []; rows?: []; events?: [] }) =>
  page.rows ?? page.events ?? (Array.isArray(page.data) ? page.data : page.data!.events)!

test.each(['by-offset', 'by-id', 'after', 'newest', 'cursor'])(
  'every row of a list is in one response, page by page, however it is paged: %s',
  async (name) => {
    const { statusCode, headers, body } = await whole(`/v1/${name}`)
    expect(statusCode).toBe(200)
    expect(headers).toMatchObject({ 'content-type': 'application/x-ndjson; charset=utf-8', 'x-total-count': '450' })
    const pages = pagesOf(body)
    expect(pages.map((each) => rowsIn(each).length)).toEqual(
      name === 'by-offset' ? [100, 90, 90, 90, 80] : [100, 100, 100, 100, 50],
    )
    expect(pages.flatMap(rowsIn)).toEqual(ids(ROWS, ROWS))
    expect(body).not.toContain('secret')
    expect(headers['ratelimit-remaining']).toBe('99')
  },
)

test('the filters of a request stay, its page does not, and without the header a list is a page', async () => {
  await whole('/v1/by-id?only=open&limit=3&before=7')
  expect(reads.every(({ only, limit }) => only === 'open' && limit === 100)).toBe(true)
  expect(reads).toHaveLength(5)
  reads = []
  await whole('/v1/by-offset?page=3&per_page=7')
  expect(reads.map(({ offset, page, per_page }) => [offset, page, per_page])).toEqual(
    [0, 90, 180, 270, 360].map((offset) => [offset, undefined, undefined]),
  )
  const page = await server.app.inject({ url: '/v1/by-id?limit=3&before=7', headers: { 'x-api-key': 'admin-key' } })
  expect(page.json().data).toEqual(ids(6, 3))
})

test('a caller that continues after an event gets those after it, though the list can also be read backwards', async () => {
  await whole('/v1/newest?after=440')
  expect(reads.map(({ after, before }) => [after, before])).toEqual([[440, undefined]])
})

test('what a caller may not read, or cannot be read, is refused as ever', async () => {
  isRevoked = true
  expect((await whole('/v1/by-id')).json()).toMatchObject({ code: 'FORBIDDEN' })
  expect((await whole('/v1/by-id', 'planning-key')).json()).toMatchObject({ code: 'FORBIDDEN' })
  expect((await whole('/v1/by-id', 'unknown')).json()).toMatchObject({ code: 'INVALID_API_KEY' })
  expect((await whole('/v1/by-id?before=x')).json()).toMatchObject({ code: 'VALIDATION_ERROR' })
})

test('an organization reads a few lists at once, and the next when one has ended', async () => {
  let goOn = () => {}
  holds = new Promise((resolve) => {
    goOn = resolve
  })
  const keys = ['organization-key', 'admin-key']
  const first = keys.flatMap((key) =>
    Array.from({ length: STREAMED_LISTS_PER_CREDENTIAL_MAX }, () =>
      whole('/v1/by-id', key).then((response) => response),
    ),
  )
  await expect.poll(() => reads.length).toBe(STREAMED_LISTS_MAX)
  const refused = await whole('/v1/by-id', 'reading-key')
  expect(refused.headers['retry-after']).toBe('5')
  expect(refused.json()).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', details: { retryAfterSeconds: 5 } })
  goOn()
  await Promise.all(first)
  expect((await whole('/v1/by-id')).statusCode).toBe(200)
})

test('one key reads half of these lists at once, and leaves the others of its organization theirs', async () => {
  let goOn = () => {}
  holds = new Promise((resolve) => {
    goOn = resolve
  })
  const own = [whole('/v1/by-id'), whole('/v1/by-id')].map((response) => response.then((each) => each.statusCode))
  await expect.poll(() => reads.length).toBe(STREAMED_LISTS_PER_CREDENTIAL_MAX)
  expect((await whole('/v1/by-id')).statusCode).toBe(429)
  const other = whole('/v1/by-id', 'admin-key').then((each) => each.statusCode)
  await expect.poll(() => reads.length).toBe(STREAMED_LISTS_PER_CREDENTIAL_MAX + 1)
  goOn()
  expect(await Promise.all([...own, other])).toEqual([200, 200, 200])
})

const key: KeyCredential = {
  kind: 'key',
  organizationId: 7,
  keyId: 1,
  scope: 'organization',
  walletProfileId: null,
  permissions: null,
  rateLimitOverrides: {},
}

/** The same lists on a port, for a key that `check` lets through. */
async function listen(check: () => unknown): Promise<void> {
  await server.app.close()
  server = await testServer(routes, {
    authenticate: {
      async key() {
        await check()
        return key
      },
      async bearer() {
        throw new Failure('UNAUTHORIZED')
      },
    },
  })
  await server.app.listen({ host: '127.0.0.1', port: 0 })
}

test('a key that is revoked meanwhile breaks the response off, so that no part of a list looks whole', async () => {
  let checks = 0
  await listen(() => {
    checks += 1
    if (checks > 2) throw new Failure('API_KEY_DISABLED')
  })
  const { port } = server.app.server.address() as AddressInfo
  const headers = { 'x-api-key': 'any', accept: 'application/x-ndjson' }
  const [response] = (await once(send({ port, path: '/v1/by-id', headers }).end(), 'response')) as [IncomingMessage]
  expect(response.statusCode).toBe(200)
  response.resume()
  await expect(once(response, 'end')).rejects.toThrow('aborted')
  expect(reads).toHaveLength(2)
})

test('a client of HTTP/1.0, whose responses end with the connection, takes none that breaks off for a whole one', async () => {
  let checks = 0
  await listen(() => {
    checks += 1
    if (checks > 2) throw new Failure('API_KEY_DISABLED')
  })
  const client = connect((server.app.server.address() as AddressInfo).port, '127.0.0.1')
  client.write('GET /v1/by-id HTTP/1.0\r\nx-api-key: any\r\naccept: application/x-ndjson\r\n\r\n')
  client.resume()
  await expect(once(client, 'end')).rejects.toMatchObject({ code: 'ECONNRESET' })
  expect(reads).toHaveLength(2)
})

test('clients that leave while their key is checked keep no place', async () => {
  let [arrived, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await listen(() => {
    arrived.resolve()
    return left.promise
  })
  const headers = { 'x-api-key': 'any', accept: 'application/x-ndjson' }
  for (let each = 1; each <= STREAMED_LISTS_MAX; each += 1) {
    await sendAndLeave(server.app, { path: '/v1/by-id', headers }, arrived.promise)
    left.resolve()
    await expect.poll(() => reads.length).toBe(each)
    ;[arrived, left] = [Promise.withResolvers(), Promise.withResolvers()]
  }
  left.resolve()
  expect((await whole('/v1/by-id')).statusCode).toBe(200)
})
