// `surfaces/core/identity/sessions/slow-body.test.ts` tests the same with real members, sessions and keys.
import { Readable } from 'node:stream'
import Type from 'typebox'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type TestDatabase, testDatabase, until } from '../../../../testing/index.ts'
import { useFixture } from '../../../../testing/use-fixture.ts'
import type { KeyCredential, SecurityEventFacts } from '../../../identity/index.ts'
import { CREDENTIAL_FRESH_MS, Failure } from '../../../kernel/index.ts'
import type { App, ServerOptions } from '../app.ts'
import { type TestServer, testServer, v1Read, v1Write } from '../server/test-server.ts'
import { runVerb } from './run-verb.ts'

const database = useFixture<TestDatabase>(testDatabase)
let server: TestServer
let checks = 0
let isRevoked = false
let permissions: KeyCredential['permissions'] = null
let begun = 0
let ran = 0
let held = Promise.withResolvers<void>()
const events: SecurityEventFacts[] = []

function routes(app: App): void {
  app.addHook('onRequest', (_request, _reply, done) => {
    begun += 1
    done()
  })
  const schema = { response: { 201: Type.Object({}) } }
  app.post('/v1/supply', { config: { ...v1Write, idempotent: 'plain' }, schema }, (_request, reply) =>
    runVerb(
      reply,
      201,
      () => ({}),
      (transact) =>
        transact(async () => {
          ran += 1
          await held.promise
        }),
    ),
  )
  app.get('/v1/things', { config: v1Read }, async () => ({}))
}

async function start(options: Partial<ServerOptions> = {}) {
  server = await testServer(routes, {
    db: database.db,
    authenticate: {
      async key() {
        checks += 1
        if (isRevoked) throw new Failure('API_KEY_DISABLED', { refusal: { reason: 'revoked_key' } })
        return {
          kind: 'key',
          organizationId: 7,
          keyId: 1,
          scope: 'organization',
          walletProfileId: null,
          permissions,
          rateLimitOverrides: {},
        }
      },
      async bearer() {
        throw new Failure('UNAUTHORIZED')
      },
    },
    securityEvents: { record: (facts) => void events.push(facts) } as ServerOptions['securityEvents'],
    ...options,
  })
}
beforeEach(() => {
  ;[checks, begun, ran, isRevoked, permissions] = [0, 0, 0, false, null]
  held = Promise.withResolvers()
  events.length = 0
})
afterEach(async () => {
  held.resolve()
  vi.restoreAllMocks()
  await server.app.close()
})

const headers = { 'x-api-key': 'key', 'content-type': 'application/json' }
const supply = (payload: string | Readable = '{}', more: Record<string, string> = {}) =>
  server.app.inject({ method: 'POST', url: '/v1/supply', headers: { ...headers, ...more }, payload })

/** A request whose headers were admitted and whose body has not begun. */
async function withoutBody() {
  const body = new Readable({ read: () => undefined })
  const response = supply(body, { 'content-length': '2' })
  await until(() => begun === 1)
  return (text = '{}') => {
    body.push(text)
    body.push(null)
    return response
  }
}
/** The same, and time passes until the body arrives. */
async function afterLongWait(ms: number) {
  const finish = await withoutBody()
  const now = performance.now()
  vi.spyOn(performance, 'now').mockReturnValue(now + ms)
  return finish
}

test('a key that was revoked while the body arrived is refused before anything else, as at the headers', async () => {
  await start()
  const finish = await afterLongWait(CREDENTIAL_FRESH_MS)
  isRevoked = true
  const response = await finish('{]')
  expect([response.statusCode, response.json().code]).toEqual([403, 'API_KEY_DISABLED'])
  expect(events).toMatchObject([{ type: 'credential_refused', reason: 'revoked_key' }])
})

test('a permission that the key lost while the body arrived is missing', async () => {
  await start()
  const finish = await afterLongWait(CREDENTIAL_FRESH_MS)
  permissions = ['read']
  const response = await finish()
  expect([response.statusCode, response.json().code, ran]).toEqual([403, 'FORBIDDEN', 0])
})

test('a request that waited checks its credential once more, and every other request once', async () => {
  await start()
  held.resolve()
  expect((await supply()).statusCode).toBe(201)
  expect((await server.app.inject({ url: '/v1/things', headers })).statusCode).toBe(200)
  expect(checks).toBe(2)
  begun = 0
  const finish = await afterLongWait(CREDENTIAL_FRESH_MS)
  expect((await finish()).statusCode).toBe(201)
  expect(checks).toBe(4)
})

test('no stored response is replayed to a key that was revoked while it waited for it', async () => {
  await start({ credentialFreshMs: 0 })
  const once = { 'idempotency-key': 'k' }
  const first = supply('{}', once)
  await until(() => ran === 1)
  const second = supply('{}', once)
  // At the headers and after the body; then it waits for the first one.
  await until(() => checks >= 5, 10_000)
  isRevoked = true
  held.resolve()
  expect((await first).statusCode).toBe(201)
  expect((await second).json().code).toBe('API_KEY_DISABLED')
})

test('a key that was revoked while it waited for another request does not take over that one', async () => {
  await start({ credentialFreshMs: 0 })
  const once = { 'idempotency-key': 'l' }
  const failed = Promise.reject(new Error('the disk is full'))
  failed.catch(() => undefined)
  const first = supply('{}', once)
  await until(() => ran === 1)
  const second = supply('{}', once)
  await until(() => checks >= 5, 10_000)
  isRevoked = true
  held.resolve(failed)
  expect((await first).statusCode).toBe(500)
  expect((await second).json().code).toBe('API_KEY_DISABLED')
  expect(ran).toBe(1)
  // Its claim was released.
  isRevoked = false
  held = Promise.withResolvers()
  held.resolve()
  expect((await supply('{}', once)).statusCode).toBe(201)
})
