import { createServer } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { emptyDatabase } from '../../../../testing/index.ts'
import { openDatabase } from '../../../database/index.ts'
import { RATE_LIMITS, silentLog } from '../../../kernel/index.ts'
import type { App } from '../app.ts'
import { testServer, v1Read, v1Write } from '../server/test-server.ts'
import { createMemoryRateLimiter } from './memory-rate-limiter.ts'
import type { RateLimiter } from './rate-limiter.ts'
import { createPostgresRateLimiter, createRedisRateLimiter } from './shared-rate-limiters.ts'

let app: App
afterEach(() => app?.close())

function routes(app: App): void {
  app.get('/v1/things', { config: v1Read }, async () => ({}))
  app.post('/v1/things', { config: v1Write }, async () => ({}))
  app.post('/api/core/auth/login', { config: { access: 'auth', limit: 'auth' } }, async () => ({}))
  app.post('/sandbox/rpc', { config: { access: 'open', limit: 'sandbox.rpc' } }, async () => ({}))
}

const start = async (options = {}) => {
  ;({ app } = await testServer(routes, options))
}
const call = (method: 'GET' | 'POST', url: string, headers: Record<string, string> = {}, remoteAddress = '192.0.2.1') =>
  app.inject({ method, url, headers, remoteAddress })

describe('one bucket', () => {
  test('admits what fits, reports the rest and the reset time, then returns 429', async () => {
    await start()
    const key = { 'x-api-key': 'profile-key' }
    for (let left = 19; left >= 0; left--) {
      const { statusCode, headers } = await call('POST', '/v1/things', key)
      expect([statusCode, headers['ratelimit-limit'], headers['ratelimit-remaining']]).toEqual([
        200,
        '20',
        String(left),
      ])
      expect(Number(headers['ratelimit-reset'])).toSatisfy((seconds: number) => seconds >= 1 && seconds <= 60)
    }
    const refused = await call('POST', '/v1/things', key)
    expect([refused.statusCode, refused.json().code]).toEqual([429, 'RATE_LIMIT_EXCEEDED'])
    expect(refused.headers['retry-after']).toBe(refused.headers['ratelimit-reset'])
    expect(refused.headers['ratelimit-remaining']).toBe('0')
  })

  test('belongs to a key and a kind of request: reads and other keys continue', async () => {
    await start({ rateLimitMultiplier: 0.05 })
    const key = { 'x-api-key': 'profile-key' }
    expect((await call('POST', '/v1/things', key)).statusCode).toBe(200)
    expect((await call('POST', '/v1/things', key)).statusCode).toBe(429)
    expect((await call('GET', '/v1/things', key)).statusCode).toBe(200)
    expect((await call('POST', '/v1/things', { 'x-api-key': 'organization-key' })).statusCode).toBe(200)
  })

  test('is larger where the organization has a higher limit, and where every limit is multiplied', async () => {
    await start({ rateLimitMultiplier: 2 })
    expect((await call('POST', '/v1/things', { 'x-api-key': 'profile-key' })).headers['ratelimit-limit']).toBe('40')
    expect((await call('POST', '/v1/things', { 'x-api-key': 'raised-key' })).headers['ratelimit-limit']).toBe('90')
    expect((await call('GET', '/v1/things', { 'x-api-key': 'raised-key' })).headers['ratelimit-limit']).toBe('200')
  })

  test('belongs to an address where there is no credential; an IPv6 caller owns its whole /64', async () => {
    await start({ rateLimitMultiplier: 0.05 })
    const login = (address: string) => call('POST', '/api/core/auth/login', {}, address)
    expect((await login('192.0.2.1')).statusCode).toBe(200)
    expect((await login('::ffff:192.0.2.1')).statusCode).toBe(429)
    expect((await login('192.0.2.2')).statusCode).toBe(200)
    expect((await login('2001:db8::1')).statusCode).toBe(200)
    expect((await login('2001:db8:0:0:ffff::1')).statusCode).toBe(429)
    expect((await login('2001:db8:0:1::1')).statusCode).toBe(200)
  })
})

test('callers behind a trusted proxy have buckets of their own, and probes never wait for them', async () => {
  await start({ rateLimitMultiplier: 0.05, trustedProxies: ['10.0.0.1/32'] })
  const login = (caller: string) => call('POST', '/api/core/auth/login', { 'x-forwarded-for': caller }, '10.0.0.1')
  expect((await login('192.0.2.1')).statusCode).toBe(200)
  expect((await login('192.0.2.1')).statusCode).toBe(429)
  expect((await login('192.0.2.2')).statusCode).toBe(200)
  for (let count = 0; count < RATE_LIMITS.anonymous * 0.05; count++) await call('GET', '/nowhere', {}, '10.0.0.1')
  expect((await call('GET', '/nowhere', {}, '10.0.0.1')).statusCode).toBe(429)
  expect((await call('GET', '/health', {}, '10.0.0.1')).statusCode).toBe(200)
})

test('the rate limit comes after the credential and before the scope', async () => {
  await start({ rateLimitMultiplier: 0.05 })
  const admin = () => call('POST', '/v1/things', { 'x-api-key': 'admin-key' })
  expect((await admin()).json().code).toBe('FORBIDDEN')
  expect((await admin()).json().code).toBe('RATE_LIMIT_EXCEEDED')
})

test('guessing keys and paths is limited by address, without affecting callers that have a key', async () => {
  await start({ rateLimitMultiplier: 0.001 })
  for (const guess of ['a', 'b']) expect((await call('GET', '/v1/things', { 'x-api-key': guess })).statusCode).toBe(401)
  expect((await call('GET', '/v1/nothing')).statusCode).toBe(404)
  expect((await call('GET', '/v1/things', { 'x-api-key': 'd' })).statusCode).toBe(429)
  expect((await call('GET', '/v1/things', { 'x-api-key': 'profile-key' })).statusCode).toBe(200)
  expect((await call('GET', '/health')).statusCode).toBe(200)
})

test('every response carries the limit, errors and pages too; loopback callers have a very high one', async () => {
  await start()
  for (const url of ['/health', '/openapi.json', '/docs/', '/v1/nothing', '/v1/things'])
    expect((await call('GET', url)).headers).toHaveProperty('ratelimit-limit')
  expect((await call('POST', '/sandbox/rpc')).headers['ratelimit-limit']).toBe('100000')
})

describe('limits in PostgreSQL', () => {
  test('are set up by processes that start together', async () => {
    const { url, drop } = await emptyDatabase()
    const { pool } = openDatabase({ url, log: silentLog, max: 8 })
    const all = await Promise.all(Array.from({ length: 8 }, () => createPostgresRateLimiter(pool, silentLog)))
    for (const limits of all) await limits.close()
    await pool.end()
    await drop()
  })

  test('apply across processes, separately for each bucket', async () => {
    const { url, drop } = await emptyDatabase()
    const processes = [1, 2].map(() => openDatabase({ url, log: silentLog, max: 4 }))
    const both = await Promise.all(processes.map(({ pool }) => createPostgresRateLimiter(pool, silentLog)))
    const taken = await Promise.all(Array.from({ length: 40 }, (_, at) => both[at % 2]!.consume('key:1', 25)))
    expect(taken.filter((one) => one.allowed)).toHaveLength(25)
    expect((await both[0]!.consume('key:2', 25)).remaining).toBe(24)
    await Promise.all(both.map((limits) => limits.close()))
    await Promise.all(processes.map(({ pool }) => pool.end()))
    await drop()
  })

  test('fall back to this process when the database is unavailable', async () => {
    const { url, drop } = await emptyDatabase()
    const { pool } = openDatabase({ url, log: silentLog })
    const limits = await createPostgresRateLimiter(pool, silentLog)
    await limits.consume('key:1', 2)
    await pool.end()
    const taken = [await limits.consume('key:1', 2), await limits.consume('key:1', 2), await limits.consume('key:1', 2)]
    expect(taken.map((one) => one.allowed)).toEqual([true, true, false])
    await limits.close()
    await drop()
  })
})

test('limits in Redis fall back to this process while Redis is unavailable', async () => {
  const limits: RateLimiter = await createRedisRateLimiter(`redis://127.0.0.1:${await closedPort()}`, silentLog)
  expect(await limits.consume('key:1', 1)).toMatchObject({ allowed: true, limit: 1, remaining: 0 })
  expect(await limits.consume('key:1', 1)).toMatchObject({ allowed: false })
  await limits.close()
})

test('limits in memory count each bucket separately', async () => {
  const limits = createMemoryRateLimiter()
  expect((await limits.consume('a', 1)).allowed).toBe(true)
  expect((await limits.consume('a', 1)).allowed).toBe(false)
  expect((await limits.consume('b', 1)).allowed).toBe(true)
  await limits.close()
})

/** A port on which nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 1
}
