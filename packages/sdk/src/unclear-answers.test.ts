import { describe, expect, test } from 'vitest'
import { ApiError, ConnectionError, RateLimitExceededError } from './index.ts'
import { type Answer, failing, json, useScriptedService } from './testing/scripted-service.ts'

// What a lost response leaves open is in transport.test.ts; here a response arrives that says as little.
const service = useScriptedService()
const { weir } = service
const supply = { walletId: 1, strategyId: 2, amount: '5', tokenAddress: '0x0' }

describe('a plan whose first response is a failure that may hide a success', () => {
  const plan = () => weir({ maxRetries: 1 }).v1.operations.supply(supply)
  const byProxy: Answer = (_request, response) => response.writeHead(504).end('<html>')

  test.each([
    [429, 'RATE_LIMIT_EXCEEDED'],
    [401, 'UNAUTHORIZED'],
    [403, 'API_KEY_DISABLED'],
    [503, 'CHAIN_UNAVAILABLE'],
  ])('ends with that failure and its key, where the repetition gets %i %s', async (status, code) => {
    service.answers = [byProxy, failing(status, code)]
    const error = await plan().catch((caught) => caught)
    expect(error).toBeInstanceOf(ApiError)
    expect([error.code, error.idempotencyKey]).toEqual(['HTTP_504', service.seen[0]!.headers['idempotency-key']])
  })

  test('ends with the latest failure and its key', async () => {
    service.answers = [failing(503, 'NOT_READY')]
    const error = await plan().catch((caught) => caught)
    expect([error.code, error.idempotencyKey]).toEqual(['NOT_READY', service.seen[1]!.headers['idempotency-key']])
    expect(error.idempotencyKey).toMatch(/^[0-9a-f]{32}$/)
  })

  test('hides no refusal of a request that only reads, or that changed nothing', async () => {
    service.answers = [byProxy, failing(401, 'UNAUTHORIZED')]
    const read = weir().v1.venues.list()
    await expect(read).rejects.toMatchObject({ code: 'UNAUTHORIZED', idempotencyKey: undefined })
    service.answers = [failing(503, 'CHAIN_UNAVAILABLE'), failing(429, 'RATE_LIMIT_EXCEEDED')]
    await expect(plan()).rejects.toBeInstanceOf(RateLimitExceededError)
  })
})

describe('a success without the JSON of the service', () => {
  const page: Answer = (_request, response) => response.writeHead(200, { 'x-request-id': 'p' }).end('<html>')
  const empty: Answer = (_request, response) => response.writeHead(200).end()

  test('is repeated as a lost response is, with its key', async () => {
    service.answers = [page, empty, json(201, { operationId: 1 })]
    expect(await weir().v1.operations.supply(supply)).toEqual({ operationId: 1 })
    expect(new Set(service.seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
    service.answers = [empty]
    await expect(weir({ maxRetries: 0 }).v1.wallets.list()).rejects.toBeInstanceOf(ConnectionError)
  })

  test('is a lost connection with its key, and is not repeated if the request could act twice', async () => {
    service.answers = [page]
    const error = await weir({ maxRetries: 0 })
      .v1.operations.supply(supply)
      .catch((caught) => caught)
    expect(error).toBeInstanceOf(ConnectionError)
    expect([error.requestId, error.idempotencyKey]).toEqual(['p', service.seen[0]!.headers['idempotency-key']])
    await expect(weir().v1.wallets.update(1, { userId: 'a' })).rejects.toBeInstanceOf(ConnectionError)
    expect(service.seen).toHaveLength(2)
  })

  test('is what a caller gets that sends a request of its own', async () => {
    service.answers = [page]
    expect(await (await weir().request({ method: 'GET', path: '/' })).text()).toBe('<html>')
  })
})
