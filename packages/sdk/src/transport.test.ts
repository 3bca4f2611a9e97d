import { describe, expect, test } from 'vitest'
import { retryAfterMsOf } from './error-of.ts'
import {
  ApiError,
  ConnectionError,
  type Hooks,
  InsufficientBalanceError,
  OperationFailedError,
  RateLimitExceededError,
  type RequestInfo,
  SecretLostError,
  TimeoutError,
} from './index.ts'
import { type Answer, failing, json, lost, useScriptedService } from './testing/scripted-service.ts'

const service = useScriptedService()
const { weir } = service
const silent: Answer = () => undefined

const supply = { walletId: 1, strategyId: 2, amount: '5', tokenAddress: '0x0' }

test('a request carries the credential, its path, its query and its body', async () => {
  service.answers = [json(200, { wallets: [] })]
  await weir().v1.wallets.list({ blockchain: 'polygon', limit: 5 })
  await weir({ accessToken: async () => 'token', apiKey: undefined }).core.webhooks.update(7, { description: 'x' })
  expect(service.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET /v1/wallets?blockchain=polygon&limit=5',
    'PATCH /api/core/webhooks/7',
  ])
  expect(service.seen[0]!.headers['x-api-key']).toBe('key')
  expect(service.seen[1]!.headers).toMatchObject({ authorization: 'Bearer token', 'content-type': 'application/json' })
  expect(service.seen[1]!.headers).not.toHaveProperty('x-api-key')
  expect(service.seen[1]!.body).toBe('{"description":"x"}')
})

test('core data arrives without its envelope, with the response on request', async () => {
  service.answers = [json(200, { success: true, data: { valid: true, message: 'ok' } }, { 'x-request-id': 'abc' })]
  expect(await weir().core.apiKeys.validate()).toEqual({ valid: true, message: 'ok' })
  expect(await weir().core.apiKeys.validate().withResponse()).toMatchObject({ requestId: 'abc', replayed: false })
})

test('an error is an instance of the class of its code, with details and request id', async () => {
  const details = { required: '5', available: '1' }
  service.answers = [json(400, { code: 'INSUFFICIENT_BALANCE', message: 'too low', details }, { 'x-request-id': 'q' })]
  const error = await weir()
    .v1.operations.supply(supply)
    .catch((caught) => caught)
  expect(error).toBeInstanceOf(InsufficientBalanceError)
  expect(error).toMatchObject({
    code: 'INSUFFICIENT_BALANCE',
    status: 400,
    details,
    requestId: 'q',
    message: 'too low',
  })
  expect(service.seen).toHaveLength(1)
})

test('a failed operation is an error with the id of the request that showed it', async () => {
  service.answers = [json(200, { operationId: 7, status: 'FAILED', transactions: [] }, { 'x-request-id': 'q' })]
  const signer = { sign: () => Promise.reject(new Error('nothing to sign')) }
  const error = await weir()
    .operations.execute({ operationId: 7 }, signer)
    .catch((caught) => caught)
  expect(error).toBeInstanceOf(OperationFailedError)
  expect(error).toMatchObject({ requestId: 'q', operation: { operationId: 7 } })
})

test('an unknown code and a response that is not JSON are errors as well', async () => {
  service.answers = [failing(409, 'OF_A_NEWER_SERVICE'), (_request, response) => response.writeHead(418).end('<html>')]
  const first = await weir()
    .v1.venues.get(1)
    .catch((caught) => caught)
  const second = await weir()
    .v1.venues.get(1)
    .catch((caught) => caught)
  expect(first).toBeInstanceOf(ApiError)
  expect([first.code, second.code, second.status]).toEqual(['OF_A_NEWER_SERVICE', 'HTTP_418', 418])
})

test('a lost response of a plan is repeated with the same idempotency key', async () => {
  service.answers = [lost, failing(500, 'INTERNAL_ERROR'), json(201, { operationId: 1 })]
  await weir().v1.operations.supply(supply)
  const keys = service.seen.map(({ headers }) => headers['idempotency-key'])
  expect(keys).toHaveLength(3)
  expect(new Set(keys).size).toBe(1)
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
  expect(new Set(service.seen.map(({ headers }) => headers['x-request-id'])).size).toBe(3)
})

describe('a secret that was lost with its response', () => {
  const REPLAYED = { 'idempotency-replayed': 'true', 'x-request-id': 'q' }
  const replay = (data: object, headers: Record<string, string> = REPLAYED) =>
    json(201, { success: true, data }, headers)
  const rotate = () => weir().core.apiKeys.rotate(7, {})

  test('is an error with the id of what exists now', async () => {
    service.answers = [lost, replay({ id: 8, name: 'Payroll', apiKey: null })]
    const error = await rotate().catch((caught) => caught)
    expect(error).toBeInstanceOf(SecretLostError)
    expect(error).toMatchObject({
      fields: ['apiKey'],
      data: { id: 8, name: 'Payroll' },
      requestId: 'q',
      message:
        'The request took effect, but apiKey was lost with the first response: revoke or replace what has the id 8.',
    })
  })

  test('is an error at sign-in as well, with the tokens that are lost', async () => {
    service.answers = [lost, replay({ accessToken: null, refreshToken: null, user: { id: 3 } })]
    await expect(weir().core.auth.logIn({ email: 'a@b.example', password: 'p' })).rejects.toMatchObject({
      fields: ['accessToken', 'refreshToken'],
      message: expect.stringContaining('sign in again'),
    })
  })

  test('is no error if the repetition acted itself, or issued no secret', async () => {
    service.answers = [lost, replay({ id: 8, apiKey: 'svc_1' }, {})]
    expect(await rotate()).toMatchObject({ apiKey: 'svc_1' })
    service.answers = [lost, replay({ changeRequestId: 5 })]
    expect(await rotate()).toEqual({ changeRequestId: 5 })
  })

  test('is what the caller asked for who chose the key or repeats the call', async () => {
    service.answers = [lost, replay({ id: 8, apiKey: null })]
    const { data, replayed } = await weir().core.apiKeys.rotate(7, {}, { idempotencyKey: 'mine' }).withResponse()
    expect([data, replayed]).toEqual([{ id: 8, apiKey: null }, true])
  })
})

describe('a plan whose first response is lost, and that nobody decides later', () => {
  const running = json(409, {
    code: 'IDEMPOTENCY_CONFLICT',
    message: 'it runs',
    details: { reason: 'request_in_progress' },
  })
  const plan = () => weir({ maxRetries: 1 }).v1.operations.supply(supply)

  test.each<[string, Answer]>([
    ['it still runs', running],
    ['the limit is reached', failing(429, 'RATE_LIMIT_EXCEEDED')],
    ['a minute is not enough', failing(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': '3600' })],
    ['the credential ended meanwhile', failing(401, 'UNAUTHORIZED')],
    ['the key is disabled', failing(403, 'API_KEY_DISABLED')],
    ['a proxy failed', failing(502, 'BAD_GATEWAY')],
    ['it is lost again', lost],
  ])('is a lost connection with its key, where the repetition says that %s', async (_which, answer) => {
    service.answers = [lost, answer]
    const error = await plan().catch((caught) => caught)
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error.idempotencyKey).toBe(service.seen[0]!.headers['idempotency-key'])
    service.answers = [json(201, { operationId: 1 })]
    const repeated = await weir().v1.operations.supply(supply, { idempotencyKey: error.idempotencyKey })
    expect(repeated.operationId).toBe(1)
    expect(new Set(service.seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  })

  test('is the refusal of the service, where the repetition is answered for good', async () => {
    service.answers = [lost, failing(400, 'INSUFFICIENT_BALANCE')]
    await expect(plan()).rejects.toBeInstanceOf(InsufficientBalanceError)
    service.answers = [running]
    await expect(weir().v1.operations.supply(supply, { idempotencyKey: 'mine' })).rejects.toMatchObject({ status: 409 })
  })
})

test('a time limit is longer than nothing, and one that no timer can hold does not end the request', async () => {
  service.answers = [(...all) => setTimeout(json(200, { id: 1 }), 50, ...all)]
  for (const timeoutMs of [Infinity, 2 ** 31])
    expect(await weir({ timeoutMs, maxRetries: 0 }).v1.venues.get(1)).toEqual({ id: 1 })
  service.seen = []
  for (const timeoutMs of [0, -1, Number.NaN])
    await expect(weir().v1.venues.get(1, { timeoutMs })).rejects.toBeInstanceOf(RangeError)
  expect(service.seen).toHaveLength(0)
})

test('a runtime whose URLSearchParams has no size sends the query', async () => {
  const size = Object.getOwnPropertyDescriptor(URLSearchParams.prototype, 'size')!
  Reflect.deleteProperty(URLSearchParams.prototype, 'size')
  try {
    service.answers = [json(200, { wallets: [] })]
    await weir().v1.wallets.list({ limit: 5 })
    expect(service.seen[0]!.url).toBe('/v1/wallets?limit=5')
  } finally {
    Object.defineProperty(URLSearchParams.prototype, 'size', size)
  }
})

test('each call has an idempotency key of its own, and the caller may choose it', async () => {
  service.answers = [json(201, { operationId: 1 })]
  await weir().v1.operations.supply(supply)
  await weir().v1.operations.supply(supply)
  await weir().v1.operations.supply(supply, { idempotencyKey: 'mine' })
  const keys = service.seen.map(({ headers }) => headers['idempotency-key'])
  expect(new Set(keys).size).toBe(3)
  expect(keys[2]).toBe('mine')
})

test('a change that takes no idempotency key is not repeated if it may have happened', async () => {
  service.answers = [lost]
  await expect(weir().v1.wallets.update(1, { userId: 'a' })).rejects.toBeInstanceOf(ConnectionError)
  expect(service.seen).toHaveLength(1)
  const { core } = weir()
  await expect(core.agent.pollTransactions({}, { idempotencyKey: 'mine' })).rejects.toBeInstanceOf(ConnectionError)
  expect(service.seen, 'a key that the service ignores changes nothing').toHaveLength(2)
})

test('a change without a key is repeated after 503 only where the service promises that nothing changed', async () => {
  const update = () => weir().v1.wallets.update(1, { userId: 'a' })
  const byProxy: Answer = (_request, response) => response.writeHead(503).end('upstream reset before headers')
  // The connection to the database may have been lost during the commit.
  for (const [answer, code] of [
    [failing(503, 'NOT_READY'), 'NOT_READY'],
    [byProxy, 'HTTP_503'],
  ] as const) {
    service.seen = []
    service.answers = [answer, json(200, { id: 1 })]
    await expect(update()).rejects.toMatchObject({ code })
    expect(service.seen).toHaveLength(1)
    service.answers = [answer, json(201, { operationId: 1 })]
    await weir().v1.operations.supply(supply)
    expect(service.seen, 'with a key').toHaveLength(3)
  }
  service.seen = []
  service.answers = [failing(503, 'CHAIN_UNAVAILABLE'), failing(503, 'RAMP_UNAVAILABLE'), json(200, { id: 1 })]
  await update()
  expect(service.seen).toHaveLength(3)
})

test('Retry-After decides when a refused request is repeated', async () => {
  service.answers = [failing(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': '1' }), json(200, { id: 1 })]
  const waits: number[] = []
  await weir({ hooks: { retry: ({ waitMs }) => waits.push(waitMs) } }).v1.wallets.update(1, { userId: 'a' })
  expect(waits).toEqual([1_000])
})

test('hooks see each attempt, each response and each retry, and no credential', async () => {
  service.answers = [lost, failing(503, 'CHAIN_UNAVAILABLE'), json(201, { operationId: 1 })]
  const calls: [string, RequestInfo & { status?: number; durationMs?: number; error?: Error; waitMs?: number }][] = []
  const hooks: Hooks = {
    request: (info) => calls.push(['request', info]),
    response: (info) => calls.push(['response', info]),
    retry: (info) => calls.push(['retry', info]),
  }
  await weir({ hooks }).v1.operations.supply(supply)
  const told = calls.map(([hook, { attempt, status, error }]) => [hook, attempt, status ?? error?.name])
  expect(told).toEqual([
    ['request', 1, undefined],
    ['retry', 1, 'ConnectionError'],
    ['request', 2, undefined],
    ['response', 2, 503],
    ['retry', 2, 'ChainUnavailableError'],
    ['request', 3, undefined],
    ['response', 3, 201],
  ])
  for (const [hook, { method, url, requestId, attempt, durationMs }] of calls) {
    expect([method, url]).toEqual(['POST', `${service.baseUrl}/v1/operations/supply`])
    expect(requestId).toBe(service.seen[attempt - 1]!.headers['x-request-id'])
    if (hook === 'response') expect(durationMs).toBeGreaterThan(0)
  }
  expect(JSON.stringify(calls)).not.toMatch(/"key"|amount/)
})

test('an error of a hook is the error of the call, which is not repeated', async () => {
  const broken = new Error('the log is full')
  const throws = () => {
    throw broken
  }
  service.answers = [json(201, { operationId: 1 })]
  const call = (hooks: Hooks) => weir({ hooks }).v1.operations.supply(supply)
  await expect(call({ request: throws })).rejects.toBe(broken)
  expect(service.seen).toHaveLength(0)
  await expect(call({ response: throws })).rejects.toBe(broken)
  expect(service.seen).toHaveLength(1)
  service.answers = [failing(503, 'CHAIN_UNAVAILABLE')]
  await expect(call({ retry: throws })).rejects.toBe(broken)
  expect(service.seen).toHaveLength(2)
})

test('a wait longer than a minute is left to the caller', async () => {
  service.answers = [failing(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': '3600' })]
  const error = await weir()
    .v1.venues.list()
    .catch((caught) => caught)
  expect(error).toBeInstanceOf(RateLimitExceededError)
  expect([error.retryAfterMs, service.seen.length]).toEqual([3_600_000, 1])
})

test('retries end', async () => {
  service.answers = [failing(503, 'CHAIN_UNAVAILABLE')]
  await expect(weir({ maxRetries: 1 }).v1.venues.list()).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  expect(service.seen).toHaveLength(2)
})

test('a service that does not answer is a TimeoutError, with the id that was sent', async () => {
  service.answers = [silent]
  const error = await weir({ timeoutMs: 2_000, maxRetries: 0 })
    .v1.venues.get(1)
    .catch((caught) => caught)
  expect(error).toBeInstanceOf(TimeoutError)
  expect(error.requestId).toBe(service.seen[0]!.headers['x-request-id'])
})

test('an aborted signal ends the request and the wait before a retry', async () => {
  service.answers = [silent]
  const reason = new Error('enough')
  const first = new AbortController()
  const running = weir().v1.venues.get(1, { signal: first.signal })
  first.abort(reason)
  await expect(running).rejects.toBe(reason)

  service.answers = [failing(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': '30' })]
  const second = new AbortController()
  const hooks = { retry: () => second.abort(reason) }
  await expect(weir({ hooks }).v1.venues.get(1, { signal: second.signal })).rejects.toBe(reason)
})

test('every token and every position of one wallet is iterated', async () => {
  const wallets = ['USDC', 'USDT', 'USDT'].map((token) => ({ walletId: 1, token }))
  const positions = [2, 3, 3].map((strategyId) => ({ walletId: 1, strategyId }))
  const exits = [4, 5, 5].map((exitId) => ({ exitId, walletId: 1 }))
  service.answers = [{ wallets }, { positions }, { exits }].map((data) => json(200, { success: true, data, exits }))
  const { core, v1 } = weir()
  const seenOf = async <Item, Field>(list: AsyncIterable<Item>, field: (item: Item) => Field) => {
    const found: Field[] = []
    for await (const item of list) found.push(field(item))
    return found
  }
  const at = '2026-01-01T00:00:00.000Z'
  expect(await seenOf(core.balances.list({ at }), ({ token }) => token)).toEqual(['USDC', 'USDT'])
  expect(await seenOf(core.balances.listPositions({ at }), ({ strategyId }) => strategyId)).toEqual([2, 3])
  expect(await seenOf(v1.exits.list(), ({ exitId }) => exitId)).toEqual([4, 5])
})

test('the time limit of a poll begins where the service ends its wait', async () => {
  const late: Answer = (...all) => setTimeout(json(200, { success: true, data: { transaction: null } }), 120, ...all)
  service.answers = [late]
  const { agent } = weir({ timeoutMs: 60, maxRetries: 0 }).core
  expect(await agent.pollTransactions({ waitMs: 1_000 })).toEqual({ transaction: null })
  await expect(agent.pollTransactions({ waitMs: 0 })).rejects.toBeInstanceOf(TimeoutError)
})

test('events are iterated by their cursor', async () => {
  const page = (ids: number[], hasMore: boolean) =>
    json(200, { events: ids.map((id) => ({ id })), cursor: ids.at(-1), hasMore })
  service.answers = [page([1, 2], true), page([3], false)]
  const ids: number[] = []
  for await (const { id } of weir().v1.events.list()) ids.push(id)
  expect(ids).toEqual([1, 2, 3])
  expect(service.seen[1]!.url).toBe('/v1/events?limit=100&after=2')
})

test('Retry-After has seconds or a date', () => {
  expect(retryAfterMsOf('2')).toBe(2_000)
  expect(retryAfterMsOf('Thu, 01 Jan 1970 00:00:10 GMT', 4_000)).toBe(6_000)
  expect(retryAfterMsOf('Thu, 01 Jan 1970 00:00:10 GMT', 40_000)).toBe(0)
  expect([retryAfterMsOf(null), retryAfterMsOf('soon')]).toEqual([undefined, undefined])
})
