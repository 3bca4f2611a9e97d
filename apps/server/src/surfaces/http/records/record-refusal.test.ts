import Type from 'typebox'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { SecurityEventFacts } from '../../../identity/index.ts'
import { Failure, RATE_LIMITS, validationError } from '../../../kernel/index.ts'
import { EVERYONE } from '../access/access.ts'
import type { App } from '../app.ts'
import { testServer, v1Read, v1Write } from '../server/test-server.ts'

let app: App
const recorded: SecurityEventFacts[] = []
beforeAll(async () => {
  const securityEvents = { record: (facts: SecurityEventFacts) => void recorded.push(facts), flush: async () => {} }
  ;({ app } = await testServer(routes, { securityEvents, trustedProxies: ['192.0.2.0/24'] }))
})
afterAll(() => app?.close())
beforeEach(() => {
  recorded.length = 0
})

function routes(made: App): void {
  const params = Type.Object({ code: Type.String() })
  made.get('/v1/fail/:code', { config: v1Read, schema: { params } }, async (request) => {
    throw new Failure(request.params.code as 'NOT_FOUND')
  })
  made.post('/v1/write', { config: v1Write }, async () => ({}))
  const core = { config: { access: { surface: 'core', roles: EVERYONE }, limit: 'core' } } as const
  made.post('/api/core/password', core, async () => {
    throw validationError('currentPassword', 'is not the current password', { reason: 'wrong_password' })
  })
  made.post('/api/core/step-up', core, async () => {
    throw new Failure('FORBIDDEN', { details: { reason: 'step_up_required' } })
  })
  const auth = { access: 'auth', limit: 'auth' } as const
  made.post('/api/core/auth/login', { config: auth }, async () => {
    const refusal = { reason: 'wrong_password', organizationId: 7, actor: { type: 'user', id: 3 } } as const
    throw new Failure('UNAUTHORIZED', { refusal })
  })
  made.post('/api/core/auth/register', { config: auth, schema: { operationId: 'register' } }, async () => {
    throw new Failure('CONFLICT')
  })
  made.post('/ramp/events', { config: { access: 'open', limit: 'anonymous' } }, async () => {
    throw new Failure('UNAUTHORIZED', { message: 'not signed' })
  })
}

type Call = { method?: 'GET' | 'POST'; url: string; headers?: Record<string, string>; remoteAddress?: string }
const call = async ({ method = 'GET', ...request }: Call) =>
  (await app.inject({ method, remoteAddress: '203.0.113.5', ...request })).statusCode
const post = (url: string, headers: Record<string, string> = {}) => call({ method: 'POST', url, headers })
const fail = (code: string, key = 'profile-key') => call({ url: `/v1/fail/${code}`, headers: { 'x-api-key': key } })
const owner = { authorization: 'Bearer owner' }

test.each([
  [
    'no key',
    () => call({ url: '/v1/fail/X' }),
    { type: 'credential_refused', code: 'INVALID_API_KEY', reason: 'missing_credential' },
  ],
  [
    'a revoked key',
    () => fail('X', 'revoked-key'),
    { type: 'credential_refused', code: 'API_KEY_DISABLED', reason: null },
  ],
  [
    'a key of a deleted organization',
    () => fail('X', 'orphan-key'),
    { type: 'credential_refused', code: 'ORGANIZATION_NOT_FOUND', reason: null },
  ],
  [
    'a forged token',
    () => post('/api/core/step-up', { authorization: 'Bearer x' }),
    { type: 'credential_refused', code: 'UNAUTHORIZED', reason: null },
  ],
  [
    'a read-only key',
    () => post('/v1/write', { 'x-api-key': 'admin-key' }),
    { type: 'access_denied', code: 'FORBIDDEN', reason: 'read_only_key' },
  ],
  [
    'a missing permission',
    () => post('/v1/write', { 'x-api-key': 'reading-key' }),
    { type: 'access_denied', code: 'FORBIDDEN', reason: 'key_permission' },
  ],
  [
    'a missing step',
    () => post('/api/core/step-up', owner),
    { type: 'access_denied', code: 'FORBIDDEN', reason: 'step_up_required' },
  ],
  [
    'a wrong own password',
    () => post('/api/core/password', owner),
    { type: 'confirmation_refused', code: 'VALIDATION_ERROR', reason: 'wrong_password' },
  ],
  [
    'a wrong password',
    () => post('/api/core/auth/login'),
    { type: 'sign_in_refused', code: 'UNAUTHORIZED', reason: 'wrong_password' },
  ],
  [
    'a taken address',
    () => post('/api/core/auth/register'),
    { type: 'registration_refused', code: 'CONFLICT', reason: null },
  ],
  ['an unsigned message', () => post('/ramp/events'), { type: 'request_refused', code: 'UNAUTHORIZED', reason: null }],
  [
    'an object of others',
    () => fail('OPERATION_NOT_FOUND'),
    { type: 'object_not_found', code: 'OPERATION_NOT_FOUND', reason: null },
  ],
  [
    'other bytes',
    () => fail('TRANSACTION_MISMATCH'),
    { type: 'transaction_mismatch', code: 'TRANSACTION_MISMATCH', reason: null },
  ],
  ['a limit', () => fail('RATE_LIMIT_EXCEEDED'), { type: 'rate_limited', code: 'RATE_LIMIT_EXCEEDED', reason: null }],
] as const)('%s is one event', async (_name, attempt, event) => {
  const status = await attempt()
  expect(recorded).toEqual([expect.objectContaining({ ...event, status, address: '203.0.113.5' })])
})

test.each(['VALIDATION_ERROR', 'ALLOCATION_NOT_FOUND', 'INVALID_AMOUNT', 'OPERATION_IN_PROGRESS', 'INTERNAL_ERROR'])(
  '%s is no event',
  async (code) => {
    await fail(code)
    expect(recorded).toEqual([])
  },
)

test('an unknown path is no event until a limit refuses it', async () => {
  const request = { url: '/nothing', remoteAddress: '203.0.113.9' }
  for (let count = 0; count <= RATE_LIMITS.anonymous; count += 1) await call(request)
  expect(recorded).toEqual([expect.objectContaining({ type: 'rate_limited', route: null, method: 'GET' })])
})

test('the event names the credential, not what headers claim', async () => {
  const headers = {
    'x-api-key': 'profile-key',
    'x-forwarded-for': '198.51.100.1',
    'x-user-id': '99',
    'x-organization-id': '8',
    'x-request-id': 'mine',
  }
  await call({ url: '/v1/fail/FORBIDDEN', headers })
  expect(recorded).toEqual([
    expect.objectContaining({
      organizationId: 7,
      actorType: 'key',
      actorId: 1,
      address: '203.0.113.5',
      route: '/v1/fail/:code',
      requestId: 'mine',
    }),
  ])
})

test('the account that was attacked is named with a wrong password', async () => {
  await post('/api/core/auth/login')
  expect(recorded).toEqual([expect.objectContaining({ organizationId: 7, actorType: 'user', actorId: 3 })])
})

test('a user agent cannot break a line and is shortened', async () => {
  await call({ url: '/v1/fail/X', headers: { 'user-agent': `a\tb\u0085c\u00ad${'x'.repeat(500)}` } })
  expect(recorded[0]?.userAgent).toMatch(/^a b c x{193,194}$/)
})

test('no path, body, key or token is in an event', async () => {
  const secret = 'svc_sandbox_secret'
  await call({ url: `/v1/fail/${secret}?key=${secret}`, headers: { 'x-api-key': secret, authorization: secret } })
  expect(JSON.stringify(recorded)).not.toContain(secret)
})
