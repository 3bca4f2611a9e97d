import fc from 'fast-check'
import Type from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { App } from '../app.ts'
import { Amount, testServer, v1Read, v1Write } from '../server/test-server.ts'

const json = { 'content-type': 'application/json' }
let app: App

beforeAll(async () => {
  ;({ app } = await testServer(routes, { rateLimitMultiplier: 1_000 }))
})
afterAll(() => app.close())

function routes(app: App): void {
  const body = Type.Object({ amount: Type.String(), nested: Type.Optional(Type.Object({ number: Type.Integer() })) })
  const schema = { body, response: { 201: Amount } }
  app.post('/v1/supply', { config: v1Write, schema }, async (request, reply) => {
    return reply.code(201).send({ amount: request.body.amount })
  })
  app.get(
    '/v1/things/:id',
    {
      config: v1Read,
      schema: {
        params: Type.Object({ id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) }),
        querystring: Type.Object({
          limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
          at: Type.Optional(Type.String({ format: 'date-time' })),
        }),
        response: { 200: Type.Object({ id: Type.Integer(), limit: Type.Integer() }) },
      },
    },
    async (request) => ({ id: request.params.id, limit: request.query.limit, secret: 'never declared' }),
  )
  app.post('/api/agent/poll', { config: { access: { surface: 'agent' }, limit: 'agent.poll' } }, async () => ({}))
}

type Call = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS' | 'HEAD'
  url: string
  headers?: Record<string, string>
  payload?: string | Buffer
}
const call = (request: Call) => app.inject({ method: 'GET', ...request })
const supply = (headers: Record<string, string>, payload: string | Buffer) =>
  call({ method: 'POST', url: '/v1/supply', headers: { ...json, ...headers }, payload })

describe('bodies', () => {
  const key = { 'x-api-key': 'raised-key' }

  test.each([
    ['a number for a string', '{"amount":5}', [{ path: 'amount', message: 'must be a string' }]],
    ['a missing field', '{}', [{ path: 'amount', message: 'is required' }]],
    ['nothing', '', [{ path: 'amount', message: 'is required' }]],
    ['an array', '[]', [{ path: 'body', message: 'must be an object' }]],
    ['null', 'null', [{ path: 'body', message: 'must be an object' }]],
    [
      'two faults',
      '{"nested":{"number":"5"}}',
      [
        { path: 'amount', message: 'is required' },
        { path: 'nested.number', message: 'must be an integer' },
      ],
    ],
    ['no JSON', '{', [{ path: 'body', message: 'The body is not valid JSON.' }]],
    ['no UTF-8', Buffer.from([0x7b, 0xff]), [{ path: 'body', message: 'The body is not valid UTF-8.' }]],
    [
      'a number beyond a double',
      '{"amount":"5","x":[1,1e400]}',
      [{ path: 'x[1]', message: 'must be a number that fits in 64 bits' }],
    ],
    [
      'the same in digits',
      `{"amount":"5","x":-${'9'.repeat(310)}}`,
      [{ path: 'x', message: 'must be a number that fits in 64 bits' }],
    ],
    ['a NUL', '{"amount":"a\\u0000"}', [{ path: 'amount', message: 'must be valid Unicode without NUL' }]],
    [
      'half a character',
      '{"amount":"5","x":["\\ud800"]}',
      [{ path: 'x[0]', message: 'must be valid Unicode without NUL' }],
    ],
    [
      'bottomless nesting',
      `{"amount":"5","x":${'['.repeat(100_000)}`,
      [{ path: 'body', message: 'The body is nested deeper than 64 levels.' }],
    ],
  ])('%s is a VALIDATION_ERROR that says where', async (_name, payload, issues) => {
    const response = await supply(key, payload)
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ code: 'VALIDATION_ERROR', details: { issues } })
  })

  test('unknown fields are ignored, prototype names included', async () => {
    const response = await supply(
      key,
      '{"amount":"5","other":1,"__proto__":{"amount":"9"},"\\u005f_proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
    )
    expect([response.statusCode, response.json()]).toEqual([201, { amount: '5' }])
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  test('only plain JSON is accepted', async () => {
    const send = (headers: Record<string, string>, payload: string) =>
      call({ method: 'POST', url: '/v1/supply', headers: { ...key, ...headers }, payload })
    expect((await send({ 'content-type': 'text/plain' }, '{"amount":"5"}')).json().code).toBe('UNSUPPORTED_MEDIA_TYPE')
    expect((await send({ 'content-type': ';' }, '{"amount":"5"}')).json().code).toBe('UNSUPPORTED_MEDIA_TYPE')
    expect((await send({ ...json, 'content-encoding': 'gzip' }, '{"amount":"5"}')).statusCode).toBe(415)
    expect((await send({ 'content-type': 'application/json; charset=utf-8' }, '{"amount":"5"}')).statusCode).toBe(201)
    expect((await send({ 'content-type': 'application/merge-patch+json' }, '{"amount":"5"}')).statusCode).toBe(201)
  })

  test('an absent body counts as an empty object', async () => {
    const response = await call({ method: 'POST', url: '/v1/supply', headers: key })
    expect(response.json().details.issues).toEqual([{ path: 'amount', message: 'is required' }])
    expect(
      (await call({ method: 'POST', url: '/api/agent/poll', headers: { 'x-api-key': 'organization-key' } })).statusCode,
    ).toBe(200)
  })

  test('a body over 16 KiB is refused with the first fault only: finding all of them could take minutes', async () => {
    const sized = (bytes: number) => `{"nested":{"number":"${'5'.repeat(bytes - 24)}"}}`
    expect((await supply(key, sized(16_384))).json().details.issues).toHaveLength(2)
    expect((await supply(key, sized(16_385))).json().details.issues).toEqual([
      { path: 'amount', message: 'is required' },
    ])
  })

  test('one byte over a MiB is 413, one byte less is accepted', async () => {
    const sized = (bytes: number) => `{"amount":"${'1'.repeat(bytes - 13)}"}`
    expect((await supply(key, sized(1_048_576))).statusCode).toBe(201)
    const large = await supply(key, sized(1_048_577))
    expect([large.statusCode, large.json().code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  })
})

describe('paths and query strings', () => {
  const get = (url: string) => call({ url, headers: { 'x-api-key': 'organization-key' } })

  test('are coerced, and responses contain only declared fields', async () => {
    expect((await get('/v1/things/5?limit=7&unknown=1')).json()).toEqual({ id: 5, limit: 7 })
    expect((await get('/v1/things/9007199254740991')).json()).toEqual({ id: 9_007_199_254_740_991, limit: 50 })
  })

  test.each([
    '0',
    '-1',
    'abc',
    '1.5',
    '1e2',
    '0x10',
    '%205',
    '9007199254740992',
    '99999999999999999999999',
    '%00',
    '5%00',
  ])('an id of %s is a VALIDATION_ERROR at id', async (text) => {
    const response = await get(`/v1/things/${text}`)
    expect([response.statusCode, response.json().code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(response.json().details.issues[0].path).toBe('id')
  })

  test.each([
    ['a leap second', '2016-12-31T23:59:60Z'],
    ['an offset of hours alone', '2016-12-31T00:00:00%2B05'],
    ['a day that does not exist', '2026-02-30T00:00:00Z'],
    ['a year of five digits', '9999-12-31T23:59:59-15:00'],
    ['a year before the first', '0000-01-01T00:00:00%2B01:00'],
  ])('a time that nothing here can read or write is a VALIDATION_ERROR: %s', async (_name, text) => {
    const response = await get(`/v1/things/5?at=${text}`)
    expect([response.statusCode, response.json().details.issues]).toEqual([
      400,
      [{ path: 'at', message: 'must be a valid date-time' }],
    ])
    expect((await get('/v1/things/5?at=2016-12-31T23:59:59.5%2B05:30')).statusCode).toBe(200)
  })

  test('every issue of a request is reported at once', async () => {
    const issues = (await get('/v1/things/x?limit=101')).json().details.issues
    expect(issues).toEqual([
      { path: 'id', message: 'must be an integer' },
      { path: 'limit', message: 'must be at most 100' },
    ])
    expect((await get('/v1/things/5?limit=1&limit=2')).json().details.issues).toEqual([
      { path: 'limit', message: 'must be an integer' },
    ])
    expect((await get('/v1/things/5?limit=')).statusCode).toBe(400)
  })
})

test('any input gets a response of the interface, never a server error', async () => {
  const key = { 'x-api-key': 'raised-key' }
  const body = fc.oneof(
    fc.json(),
    fc.uint8Array().map((bytes) => Buffer.from(bytes)),
    fc.string(),
  )
  await fc.assert(
    fc.asyncProperty(body, fc.string(), async (payload, text) => {
      expect([201, 400]).toContain((await supply(key, payload)).statusCode)
      const url = `/v1/things/${encodeURIComponent(text.toWellFormed())}?limit=${encodeURIComponent(text.toWellFormed())}`
      expect([200, 400, 404]).toContain((await call({ url, headers: key })).statusCode)
    }),
    { numRuns: 300 },
  )
})
