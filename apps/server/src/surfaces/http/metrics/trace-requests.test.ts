import { once } from 'node:events'
import { connect } from 'node:net'
import { pino } from 'pino'
import Type from 'typebox'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Failure, inSpan, ManualClock, traceFields, useTracer } from '../../../kernel/index.ts'
import { createTracer, type SpanRecord } from '../../../tracing/index.ts'
import type { App } from '../app.ts'
import { testServer, v1Read, v1Write } from '../server/test-server.ts'

const KEY = { 'x-api-key': 'profile-key' }
const spans: SpanRecord[] = []
const lines: Record<string, unknown>[] = []
let app: App
beforeEach(async () => {
  spans.length = 0
  lines.length = 0
  const sampler = { ratio: 1, followsParent: true }
  useTracer(
    createTracer({ clock: new ManualClock(), sampler, callers: 'link', key: 'k', onSpan: (span) => spans.push(span) }),
  )
  const log = pino({ mixin: traceFields }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  ;({ app } = await testServer(routes, { log }))
})
afterEach(async () => {
  useTracer(undefined)
  await app.close()
})

function routes(app: App): void {
  app.get('/v1/things/:id', { config: v1Read }, async () => {
    await inSpan(
      () => ({ name: 'work' }),
      async () => undefined,
    )
    return {}
  })
  app.post('/v1/things', { config: v1Write, schema: { body: Type.Object({ secret: Type.String() }) } }, async () => {
    await inSpan(
      () => ({ name: 'work' }),
      async () => undefined,
    )
    return {}
  })
  app.get('/v1/defect', { config: v1Read }, async () => {
    throw new Error('relation "secrets" does not exist')
  })
  app.get('/v1/refused', { config: v1Read }, async () => {
    throw new Failure('NOT_FOUND')
  })
}

const attributesOf = ({ attributes }: SpanRecord) => Object.fromEntries(attributes)

test('a request is a span with its route, status and caller, and neither path, query, body nor key', async () => {
  const response = await app.inject({
    url: '/v1/things/4711?secret=hidden',
    headers: { ...KEY, 'x-request-id': 'r-1' },
  })
  expect(response.statusCode).toBe(200)
  const [, request] = spans as [SpanRecord, SpanRecord]
  expect(request).toMatchObject({
    name: 'GET /v1/things/:id',
    kind: 'server',
    parentSpanId: undefined,
    failure: undefined,
  })
  expect(attributesOf(request)).toEqual({
    'http.request.method': 'GET',
    'http.route': '/v1/things/:id',
    'url.scheme': 'http',
    'http.response.status_code': 200,
    'weir.request_id': 'r-1',
    'weir.organization_id': 7,
    'weir.key_id': 1,
  })
})

test.each([
  ['GET', '/v1/things/1', undefined],
  ['POST', '/v1/things', JSON.stringify({ secret: 'x'.repeat(50_000) })],
] as const)('the work of a %s is in its span, and so is its log line', async (method, url, payload) => {
  // A real socket: a body arrives in pieces, each in the context of the connection.
  const base = await app.listen({ host: '127.0.0.1', port: 0 })
  const headers = { ...KEY, ...(payload && { 'content-type': 'application/json' }) }
  const response = await fetch(`${base}${url}`, { method, headers, ...(payload && { body: payload }) })
  expect(response.status).toBe(200)
  const work = spans.find(({ name }) => name === 'work')!
  const request = spans.find(({ kind }) => kind === 'server')!
  expect(work).toMatchObject({ name: 'work', parentSpanId: request.context.spanId })
  const { traceId, spanId } = request.context
  expect(lines.find(({ msg }) => msg === 'request')).toMatchObject({ trace_id: traceId, span_id: spanId })
})

test('the work of a request whose body arrives in two parts is in its span', async () => {
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const socket = connect(Number(port), '127.0.0.1')
  const body = JSON.stringify({ secret: 'x'.repeat(1_000) })
  const arrived = once(app.server, 'request')
  socket.write(
    `POST /v1/things HTTP/1.1\r\nhost: a\r\nconnection: close\r\nx-api-key: profile-key\r\n` +
      `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, 500)}`,
  )
  await arrived
  socket.end(body.slice(500))
  for await (const _ of socket);
  const request = spans.find(({ kind }) => kind === 'server')!
  expect(spans.find(({ name }) => name === 'work')?.parentSpanId).toBe(request.context.spanId)
})

test('requests at the same time do not mix', async () => {
  await Promise.all(Array.from({ length: 20 }, (_, id) => app.inject({ url: `/v1/things/${id}`, headers: KEY })))
  const requests = spans.filter(({ kind }) => kind === 'server')
  const works = spans.filter(({ name }) => name === 'work')
  expect(new Set(requests.map(({ context }) => context.traceId)).size).toBe(20)
  expect(works.map(({ parentSpanId }) => parentSpanId).toSorted()).toEqual(
    requests.map(({ context }) => context.spanId).toSorted(),
  )
})

test('only an error of the service fails a span, without its message', async () => {
  for (const url of ['/v1/refused', '/v1/defect', '/nowhere/at-all']) await app.inject({ url, headers: KEY })
  expect(spans.map(({ name, failure }) => [name, failure])).toEqual([
    ['GET /v1/refused', undefined],
    ['GET /v1/defect', '500'],
    ['GET', undefined],
  ])
  expect(JSON.stringify(spans.map(attributesOf))).not.toMatch(/relation|nowhere|profile-key/)
})

test('probes and scrapes are not traced', async () => {
  for (const url of ['/health', '/ready', '/metrics']) await app.inject({ url })
  expect(spans).toEqual([])
})
