import Type from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../../testing/index.ts'
import { Failure } from '../../../kernel/index.ts'
import { EVERYONE } from '../access/access.ts'
import type { App } from '../app.ts'
import { Amount, testServer, v1Read, v1Write } from './test-server.ts'

const json = { 'content-type': 'application/json' }
let database: TestDatabase
let app: App

beforeAll(async () => {
  database = await testDatabase()
  const { db } = database
  ;({ app } = await testServer(routes, { db }))
})
afterAll(async () => {
  await app.close()
  await database.close()
})

function routes(app: App): void {
  const body = Type.Object({ amount: Type.String(), nested: Type.Optional(Type.Object({ number: Type.Integer() })) })
  const schema = { body, response: { 201: Amount } }
  app.post('/v1/supply', { config: { ...v1Write, idempotent: 'plain' }, schema }, async (request, reply) => {
    if (request.body.amount === '0') throw new Failure('INVALID_AMOUNT')
    return reply.code(201).send({ amount: request.body.amount })
  })
  app.get(
    '/v1/things/:id',
    {
      config: v1Read,
      schema: {
        params: Type.Object({ id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) }),
        querystring: Type.Object({ limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }) }),
        response: { 200: Type.Object({ id: Type.Integer(), limit: Type.Integer() }) },
      },
    },
    async (request) => ({ id: request.params.id, limit: request.query.limit, secret: 'never declared' }),
  )
  app.get(
    '/api/core/people',
    { config: { access: { surface: 'core', roles: ['owner'] }, limit: 'core' } },
    async () => ({}),
  )
  app.get(
    '/api/core/wallets',
    { config: { access: { surface: 'core', roles: EVERYONE, key: 'read' }, limit: 'core' } },
    async (request) => ({ kind: request.credential.kind }),
  )
  app.post('/api/agent/poll', { config: { access: { surface: 'agent' }, limit: 'agent.poll' } }, async () => ({}))
  app.post(
    '/api/core/apikeys/validate',
    { config: { access: { surface: 'validate' }, limit: 'core' } },
    async (request) => ({ key: request.headers['x-api-key'] }),
  )
  app.get('/v1/broken', { config: v1Read }, async () => {
    throw new Error('select secret from vault')
  })
  app.post(
    '/api/core/approve',
    { config: { access: { surface: 'core', roles: EVERYONE }, limit: 'core' } },
    async () => {
      throw new Failure('INVALID_OPERATION_STATUS')
    },
  )
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

describe('the credential is checked first', () => {
  test.each([
    ['v1, no key', '/v1/things/x', {}, { status: 401, code: 'INVALID_API_KEY' }],
    ['v1, unknown key', '/v1/things/x', { 'x-api-key': 'nope' }, { status: 401, code: 'INVALID_API_KEY' }],
    ['v1, revoked key', '/v1/things/x', { 'x-api-key': 'revoked-key' }, { status: 403, code: 'API_KEY_DISABLED' }],
    [
      'v1, organization deleted',
      '/v1/things/x',
      { 'x-api-key': 'orphan-key' },
      { status: 404, code: 'ORGANIZATION_NOT_FOUND' },
    ],
    ['v1, a session', '/v1/things/x', { authorization: 'Bearer owner' }, { status: 401, code: 'INVALID_API_KEY' }],
    ['core, nothing', '/api/core/people', {}, { status: 401, code: 'UNAUTHORIZED' }],
    [
      'core, a key where only a session will do',
      '/api/core/people',
      { 'x-api-key': 'organization-key' },
      { status: 401, code: 'UNAUTHORIZED' },
    ],
    [
      'core, forged token',
      '/api/core/people',
      { authorization: 'Bearer forged' },
      { status: 401, code: 'UNAUTHORIZED' },
    ],
    [
      'core, another scheme',
      '/api/core/people',
      { authorization: 'Basic owner' },
      { status: 401, code: 'UNAUTHORIZED' },
    ],
    [
      'core with keys, unknown key',
      '/api/core/wallets',
      { 'x-api-key': 'nope' },
      { status: 401, code: 'UNAUTHORIZED' },
    ],
    [
      'core with keys, orphan key',
      '/api/core/wallets',
      { 'x-api-key': 'orphan-key' },
      { status: 404, code: 'ORGANIZATION_NOT_FOUND' },
    ],
    [
      'core with keys, revoked key',
      '/api/core/wallets',
      { 'x-api-key': 'revoked-key' },
      { status: 403, code: 'API_KEY_DISABLED' },
    ],
    [
      'core with keys, profile key',
      '/api/core/wallets',
      { 'x-api-key': 'profile-key' },
      { status: 403, code: 'FORBIDDEN' },
    ],
    [
      'core with keys, admin key',
      '/api/core/wallets',
      { 'x-api-key': 'admin-key' },
      { status: 403, code: 'FORBIDDEN' },
    ],
    [
      'core, a role that may not',
      '/api/core/people',
      { authorization: 'Bearer viewer' },
      { status: 403, code: 'FORBIDDEN' },
    ],
  ])('%s', async (_name, url, headers, { status, code }) => {
    const response = await call({ url, headers })
    expect([response.statusCode, response.json().code]).toEqual([status, code])
    if (code === 'FORBIDDEN' && url === '/api/core/wallets') expect(response.json().message).toContain('v1-only')
  })

  test.each([
    ['X-API-KEY', 'organization-key', 'key'],
    ['AUTHORIZATION', 'bearer owner', 'user'],
  ])('%s is accepted in any case, where it belongs', async (header, value, kind) => {
    const response = await call({ url: '/api/core/wallets', headers: { [header]: value } })
    expect(response.json()).toEqual({ kind })
  })

  test('a key needs the permission of the route, which the refusal names', async () => {
    const statuses = []
    for (const name of ['reading-key', 'planning-key', 'agent-key']) {
      const named = { headers: { 'x-api-key': name } }
      const responses = [
        await call({ url: '/v1/things/5', ...named }),
        await supply(named.headers, '{"amount":"5"}'),
        await call({ url: '/api/core/wallets', ...named }),
        await call({ method: 'POST', url: '/api/agent/poll', ...named }),
      ]
      statuses.push(responses.map((response) => (response.statusCode < 300 ? 'allowed' : response.json().message)))
    }
    const without = (permission: string) => `This key does not have the permission ${permission}.`
    expect(statuses).toEqual([
      ['allowed', without('plan'), 'allowed', without('agent')],
      [without('read'), 'allowed', without('read'), without('agent')],
      [without('read'), without('plan'), without('read'), 'allowed'],
    ])
  })

  test('an agent endpoint accepts an organization key only', async () => {
    const poll = (headers: Record<string, string>) => call({ method: 'POST', url: '/api/agent/poll', headers })
    expect((await poll({ 'x-api-key': 'organization-key' })).statusCode).toBe(200)
    expect((await poll({ authorization: 'Bearer owner' })).json().code).toBe('UNAUTHORIZED')
    expect((await poll({ 'x-api-key': 'profile-key' })).json().code).toBe('FORBIDDEN')
  })

  test('validate requires the header and leaves the rest to its handler', async () => {
    const validate = (headers: Record<string, string>) =>
      call({ method: 'POST', url: '/api/core/apikeys/validate', headers })
    expect((await validate({})).statusCode).toBe(401)
    expect((await validate({ 'x-api-key': 'whatever' })).json()).toEqual({ key: 'whatever' })
  })
})

describe('then the scope, the replay, the shape and the resource, in this order', () => {
  test('a wrong scope wins over a wrong body', async () => {
    const response = await supply({ 'x-api-key': 'admin-key' }, '{')
    expect([response.statusCode, response.json().code]).toEqual([403, 'FORBIDDEN'])
  })

  test('a replay or its conflict wins over a malformed body', async () => {
    const headers = { 'x-api-key': 'profile-key', 'idempotency-key': 'order-1' }
    expect((await supply(headers, '{"amount":"5"}')).statusCode).toBe(201)
    expect((await supply(headers, '{')).json().code).toBe('IDEMPOTENCY_CONFLICT')
  })

  test('the error for a malformed body is stored with its key', async () => {
    const headers = { 'x-api-key': 'profile-key', 'idempotency-key': 'order-2' }
    expect((await supply(headers, '{')).json().code).toBe('VALIDATION_ERROR')
    const again = await supply(headers, '{')
    expect([again.statusCode, again.headers['idempotency-replayed']]).toEqual([400, 'true'])
    expect(again.json().requestId).toBe(again.headers['x-request-id'])
  })

  test('the shape wins over the resource', async () => {
    expect((await supply({ 'x-api-key': 'profile-key' }, '{"amount":0}')).json().code).toBe('VALIDATION_ERROR')
    expect((await supply({ 'x-api-key': 'profile-key' }, '{"amount":"0"}')).json().code).toBe('INVALID_AMOUNT')
  })

  test('an unknown path is 404 without a credential, another method 405 with Allow', async () => {
    const missing = await call({ url: '/v1/nothing' })
    expect([missing.statusCode, missing.json().code, missing.json().statusCode]).toEqual([404, 'NOT_FOUND', 404])
    const core = await call({ method: 'POST', url: '/api/nothing', headers: json, payload: '{' })
    expect(core.json()).toEqual({ code: 'NOT_FOUND', message: expect.any(String), requestId: expect.any(String) })
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS'] as const) {
      const response = await call({ method, url: '/v1/things/5?limit=5' })
      expect([response.statusCode, response.json().code, response.headers.allow]).toEqual([
        405,
        'METHOD_NOT_ALLOWED',
        'GET, HEAD',
      ])
    }
    expect((await call({ url: '/v1/supply' })).headers.allow).toBe('POST')
  })
})

describe('errors have the shape of their surface', () => {
  test('v1 repeats the status, core does not, both name the request', async () => {
    const v1 = await call({ url: '/v1/broken', headers: { 'x-api-key': 'profile-key', 'x-request-id': 'mine-1' } })
    expect(v1.statusCode).toBe(500)
    expect(v1.json()).toEqual({
      statusCode: 500,
      message: 'Something went wrong on our side.',
      code: 'INTERNAL_ERROR',
      requestId: 'mine-1',
    })
    const core = await call({ method: 'POST', url: '/api/core/approve', headers: { authorization: 'Bearer owner' } })
    expect(core.statusCode).toBe(409)
    expect(Object.keys(core.json())).toEqual(['code', 'message', 'requestId'])
  })

  test('the path alone determines the surface', async () => {
    for (const url of ['/v1', '/v1/x', '/v1?x=1']) expect((await call({ url })).json()).toHaveProperty('statusCode')
    for (const url of ['/', '/v10', '/api/v1/x', '/?/v1/x'])
      expect((await call({ url })).json()).not.toHaveProperty('statusCode')
  })

  test('a request id that could break a log line is replaced', async () => {
    for (const given of ['a b', 'x'.repeat(129), '', 'ä'])
      expect((await call({ url: '/health', headers: { 'x-request-id': given } })).headers['x-request-id']).toMatch(
        /^req_/,
      )
    expect((await call({ url: '/health', headers: { 'x-request-id': 'A.b_c-1' } })).headers['x-request-id']).toBe(
      'A.b_c-1',
    )
  })

  test('a path that is not valid percent-encoding is rejected in the same shape', async () => {
    const response = await call({ url: '/v1/things/%E0%A4%A' })
    expect([response.statusCode, response.json().code, response.json().statusCode]).toEqual([
      400,
      'VALIDATION_ERROR',
      400,
    ])
    expect(response.json().details).toEqual({ issues: [{ path: 'request', message: 'could not be read' }] })
    expect(response.json().requestId).toBe(response.headers['x-request-id'])
  })
})

test('responses are data that browsers must not frame, cache or sniff', async () => {
  const { headers } = await call({ url: '/health' })
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cache-control': 'no-store',
  })
  expect(headers).not.toHaveProperty('access-control-allow-origin')
})
