import { globSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ENDS_ACCESS } from '../../../../scripts/bruno/collection.ts'
import { readRequest } from '../../../../scripts/bruno/read-request.ts'
import type { Data, Session, Wallet } from '../clients/api-types.ts'
import { ANONYMOUS, type Refusal, type RequestOptions, withKey, withToken } from '../clients/client.ts'
import { expectIssues, expectRefusal } from '../clients/expect-refusal.ts'
import { type RegisteredOrganization, registerOrganization } from '../clients/register-organization.ts'
import { type System, startSystem } from '../service/start-system.ts'

let system: System
let party: RegisteredOrganization

beforeAll(async () => {
  system = await startSystem()
  party = await registerOrganization(system)
})
afterAll(() => system?.stop())

const newAddress = () => privateKeyToAccount(generatePrivateKey()).address
const registration = () => ({ walletAddress: newAddress(), blockchain: 'polygon' })
const JSON_TYPE = { 'content-type': 'application/json' }
const raw = (text: string | Uint8Array, headers: Record<string, string> = JSON_TYPE): RequestOptions => ({
  raw: text,
  headers,
})

describe('every response', () => {
  test('repeats a valid x-request-id or generates one, in the header and in the error', async () => {
    const given = await system.profile.request<Refusal>('GET', '/v1/operations/1', {
      headers: { 'x-request-id': 'my.req-1_A' },
    })
    expect(given.headers.get('x-request-id')).toBe('my.req-1_A')
    expect(given.body.requestId).toBe('my.req-1_A')
    const strange = await system.profile.request('GET', '/v1/venues', { headers: { 'x-request-id': 'a b<c>' } })
    expect(strange.headers.get('x-request-id')).toMatch(/^[\w.-]{10,}$/)
  })

  test('has the shape of its surface when it is an error', async () => {
    const v1 = await system.as(ANONYMOUS).get<Refusal>('/v1/wallets')
    expect(Object.keys(v1.body).sort()).toEqual(['code', 'message', 'requestId', 'statusCode'])
    const core = await system.as(ANONYMOUS).get<Refusal>('/api/core/members')
    expect(Object.keys(core.body).sort()).toEqual(['code', 'message', 'requestId'])
    expect([v1.status, v1.body.code, core.status, core.body.code]).toEqual([
      401,
      'INVALID_API_KEY',
      401,
      'UNAUTHORIZED',
    ])
  })

  test('is JSON that no browser caches or sniffs', async () => {
    const { headers } = await system.profile.get('/v1/venues')
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('no-store')
  })
})

describe('paths and methods', () => {
  test('that are unknown are NOT_FOUND in the shape of their surface, with and without a key', async () => {
    for (const client of [system.profile, system.as(ANONYMOUS)]) {
      for (const path of [
        '/v1/nothing',
        '/v1',
        '/v1/wallets/1/more',
        '/api/core/nothing',
        '/nothing',
        '/v1/wallets/',
      ]) {
        expectRefusal(await client.get(path), 404, 'NOT_FOUND')
      }
    }
  })

  test('that are only announced are NOT_FOUND', async () => {
    for (const path of ['/api/tokens', '/api/token-positions/op-wallet/1', '/api/transactions', '/api/wallets/stats']) {
      expectRefusal(await party.owner.get(path), 404, 'NOT_FOUND')
    }
  })

  test.each([
    ['DELETE', '/v1/wallets', 'GET, HEAD'],
    ['PUT', '/v1/wallets/5', 'GET, HEAD, PATCH'],
    ['GET', '/v1/operations/supply', 'POST'],
    ['PATCH', '/v1/wallets/register', 'POST'],
    ['PATCH', '/v1/allocations', 'GET, HEAD, POST'],
    ['POST', '/health', 'GET, HEAD'],
    ['GET', '/api/core/auth/login', 'POST'],
    ['PUT', '/api/core/apikeys', 'GET, HEAD'],
  ])('%s %s is METHOD_NOT_ALLOWED, with Allow: %s', async (method, path, allow) => {
    const answer = await system.profile.request<Refusal>(method, path)
    expectRefusal(answer, 405, 'METHOD_NOT_ALLOWED')
    expect(answer.headers.get('allow')).toBe(allow)
  })

  test('HEAD responds like GET without a body', async () => {
    const response = await fetch(`${system.process.url}/v1/venues`, {
      method: 'HEAD',
      headers: withKey(system.credentials.profileApiKey),
    })
    expect([response.status, await response.text()]).toEqual([200, ''])
  })
})

describe('bodies', () => {
  test.each([
    ['half an object', '{"walletAddress": '],
    ['single quotes', "{'a': 1}"],
    ['nothing that is JSON', 'hello'],
    ['two values', '{} {}'],
    ['a comma too many', '{"a": 1,}'],
    ['bytes that are no UTF-8', new Uint8Array([0x7b, 0xff, 0xfe, 0x7d])],
    ['an array', '[]'],
    ['a text', '"text"'],
    ['null', 'null'],
    ['brackets a thousand deep', `${'['.repeat(1_000)}${']'.repeat(1_000)}`],
  ])('with %s are VALIDATION_ERROR with an issue', async (_what, text) => {
    for (const [client, path] of [
      [system.profile, '/v1/wallets/register'],
      [party.owner, '/api/core/apikeys/generate'],
    ] as const) {
      const details = expectRefusal(await client.request('POST', path, raw(text)), 400, 'VALIDATION_ERROR')
      expect((details.issues as { path: string }[]).map(({ path }) => path)).toEqual(['body'])
    }
  })

  test('that are empty count as {}', async () => {
    expectIssues(await system.profile.request('POST', '/v1/wallets/register', raw('')), 'blockchain', 'walletAddress')
    expectIssues(await system.profile.request('POST', '/v1/wallets/register', {}), 'blockchain', 'walletAddress')
  })

  test('are accepted in any JSON spelling and with unknown fields, including __proto__', async () => {
    const body = registration()
    const text = JSON.stringify({ ...body, extra: { deep: [1] } }).replace('{', '{"__proto__": {"userId": "x"}, ')
    const answer = await system.profile.request<Wallet>(
      'POST',
      '/v1/wallets/register',
      raw(text, { 'content-type': 'Application/JSON; charset=UTF-8' }),
    )
    expect([answer.status, answer.body.userId]).toEqual([201, null])
  })

  test('are not coerced: numbers, strings and booleans keep their types', async () => {
    const plan = { walletId: 1, strategyId: 1, amount: '1000000', tokenAddress: '0x' }
    const supply = (body: unknown) => system.profile.post('/v1/operations/supply', body)
    expectIssues(await supply({ ...plan, walletId: '1' }), 'walletId')
    expectIssues(await supply({ ...plan, strategyId: '1', amount: 1_000_000 }), 'amount', 'strategyId')
    expectIssues(await supply({ ...plan, strategyId: true, tokenAddress: null }), 'strategyId', 'tokenAddress')
    expectIssues(await supply({ ...plan, strategyId: 1.5 }), 'strategyId')
    expectIssues(
      await system.profile.post('/v1/operations/unwind', { walletId: 1, strategyId: 1, fullWithdrawal: 'true' }),
      'fullWithdrawal',
    )
  })

  test('with values that the database cannot store are refused without a server error', async () => {
    const body = registration()
    expectIssues(await system.profile.post('/v1/wallets/register', { ...body, userId: 'a\0b' }), 'userId')
    expectIssues(
      await system.profile.request(
        'POST',
        '/v1/wallets/register',
        raw(JSON.stringify({ ...body, userId: 'x' }).replace('"x"', '"\\ud800"')),
      ),
      'userId',
    )
  })

  test('above 1 MiB are PAYLOAD_TOO_LARGE', async () => {
    const body = JSON.stringify({ ...registration(), orgMetadata: { text: 'x'.repeat(1_048_576) } })
    expectRefusal(await system.profile.request('POST', '/v1/wallets/register', raw(body)), 413, 'PAYLOAD_TOO_LARGE')
    expectRefusal(await party.owner.request('POST', '/api/core/apikeys/generate', raw(body)), 413, 'PAYLOAD_TOO_LARGE')
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/xml'])(
    'with the type %s are UNSUPPORTED_MEDIA_TYPE',
    async (type) => {
      const body = raw(JSON.stringify(registration()), { 'content-type': type })
      expectRefusal(await system.profile.request('POST', '/v1/wallets/register', body), 415, 'UNSUPPORTED_MEDIA_TYPE')
      expectRefusal(await party.owner.request('POST', '/api/core/members', body), 415, 'UNSUPPORTED_MEDIA_TYPE')
    },
  )

  test('on routes that need none are still parsed, and may be missing or empty', async () => {
    const cancel = (how: RequestOptions) => system.profile.request('POST', '/v1/operations/999999999/cancel', how)
    for (const how of [{}, raw(''), raw('{}'), raw('{"more": 1}')]) {
      expectRefusal(await cancel(how), 404, 'OPERATION_NOT_FOUND')
    }
    expectIssues(await cancel(raw('{"half": ')), 'body')
    expectRefusal(await cancel(raw('text', { 'content-type': 'text/plain' })), 415, 'UNSUPPORTED_MEDIA_TYPE')
    expectIssues(await party.owner.request('POST', '/api/core/auth/logout', raw('{"half": ')), 'body')
  })
})

describe('malformed HTTP', () => {
  const send = (text: string) =>
    new Promise<string>((resolve, reject) => {
      const { hostname, port } = new URL(system.process.url)
      let received = ''
      const socket = connect(Number(port), hostname, () => socket.end(text))
      socket.setEncoding('utf8').on('data', (part: string) => {
        received += part
      })
      socket.on('error', reject).on('close', () => resolve(received))
    })

  test.each([
    ['no request at all', 'HELLO\r\n\r\n', 400],
    ['no Host', 'GET /v1/venues HTTP/1.1\r\nconnection: close\r\n\r\n', 400],
    ['endless headers', `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`, 431],
    ['a broken escape in the path', 'GET /v1/venues/%zz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n', 400],
  ])('such as %s are refused in the shape of an error', async (_what, text, status) => {
    const received = await send(text)
    expect(received.split('\r\n', 1)[0]).toContain(` ${status} `)
    expect(JSON.parse(received.slice(received.indexOf('\r\n\r\n') + 4))).toMatchObject({
      code: 'VALIDATION_ERROR',
      requestId: expect.any(String),
    })
    expect(received).toMatch(/^x-request-id: /im)
  })
})

describe('a request with several errors gets the first', () => {
  const broken = raw('{"half": ')
  const path = '/v1/wallets/register'

  test('on v1: credential, then scope, then the idempotency key, then the body', async () => {
    expectRefusal(await system.as(ANONYMOUS).request('POST', path, broken), 401, 'INVALID_API_KEY')
    expectRefusal(await system.as(withKey('nonsense')).request('POST', path, broken), 401, 'INVALID_API_KEY')
    expectRefusal(await system.admin.request('POST', path, broken), 403, 'FORBIDDEN')
    const idempotencyKey = `order-${newAddress()}`
    const first = await system.profile.post<Wallet>(path, registration(), { idempotencyKey })
    expect(first.status).toBe(201)
    expectRefusal(
      await system.profile.request('POST', path, { ...broken, idempotencyKey }),
      409,
      'IDEMPOTENCY_CONFLICT',
    )
    expectRefusal(await system.admin.request('POST', path, { body: registration(), idempotencyKey }), 403, 'FORBIDDEN')
    expectRefusal(await system.profile.request('POST', path, broken), 400, 'VALIDATION_ERROR')
    expectRefusal(await system.profile.post(path, { ...registration(), walletAddress: '0x' }), 400, 'INVALID_ADDRESS')
  })

  test('on core: credential, then role, then the body', async () => {
    const email = `viewer-${newAddress()}@weir.example`
    const password = 'a long enough password'
    expect((await party.owner.post('/api/core/members', { email, password, role: 'viewer' })).status).toBe(201)
    const session = await system.as(ANONYMOUS).post<Data<Session>>('/api/core/auth/login', { email, password })
    const viewer = system.as(withToken(session.body.data.accessToken))
    expectRefusal(await system.as(ANONYMOUS).request('POST', '/api/core/members', broken), 401, 'UNAUTHORIZED')
    expectRefusal(await viewer.request('POST', '/api/core/members', broken), 403, 'FORBIDDEN')
    expectRefusal(await party.owner.request('POST', '/api/core/members', broken), 400, 'VALIDATION_ERROR')
  })
})

/** Last: it changes whatever the requests change. `npm run test:bruno` sends them by Bruno itself. */
test('every request of the collection in bruno/ gets a status that it expects, and none is an error of the service', async () => {
  const { email, password, organizationApiKey } = system.credentials
  const session = await system.as(ANONYMOUS).post<Data<Session>>('/api/core/auth/login', { email, password })
  const variables = { apiKey: organizationApiKey, accessToken: session.body.data.accessToken }
  const folder = fileURLToPath(new URL('../../../../bruno/', import.meta.url))
  const files = globSync('*/*.bru', { cwd: folder }).filter((file) => !file.startsWith('environments'))
  const requests = files.map((file) => ({ file, ...readRequest(readFileSync(folder + file, 'utf8'), variables) }))
  const answers = []
  for (const { file, method, path, headers, body, statuses } of requests.filter(
    ({ tags }) => !tags.includes(ENDS_ACCESS),
  )) {
    const sent = body === undefined ? { headers } : { raw: body, headers: { ...JSON_TYPE, ...headers } }
    const { status } = await system.as(ANONYMOUS).request(method, path, sent)
    answers.push({ file, status, isExpected: statuses.includes(status) })
  }
  expect(answers.length).toBeGreaterThan(200)
  expect(answers.filter(({ isExpected }) => !isExpected)).toEqual([])
  // Most do what they are for: ids and states of other objects refuse the rest.
  expect(answers.filter(({ status }) => status < 300).length).toBeGreaterThan(90)
}, 60_000)
