import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import type { App } from '../app.ts'
import { testServer, v1Read } from '../server/test-server.ts'
import { createMemoryRateLimiter } from './memory-rate-limiter.ts'
import type { RateLimiter } from './rate-limiter.ts'

let app: App
afterEach(() => app.close())

const start = async (organizationRateLimit: number, rateLimiter?: RateLimiter) => {
  ;({ app } = await testServer((server) => void server.get('/v1/things', { config: v1Read }, async () => ({})), {
    organizationRateLimit,
    ...(rateLimiter && { rateLimiter }),
  }))
}
const call = (key: string) => app.inject({ url: '/v1/things', headers: { 'x-api-key': key } })

test('more keys do not mean more requests: all keys of an organization count together', async () => {
  await start(5)
  const statuses = []
  for (const key of ['profile-key', 'organization-key', 'admin-key', 'profile-key', 'organization-key', 'reading-key'])
    statuses.push((await call(key)).statusCode)
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  const refused = await call('admin-key')
  expect(refused.json()).toMatchObject({
    code: 'RATE_LIMIT_EXCEEDED',
    details: { reason: 'organization_rate_limit', retryAfterSeconds: expect.any(Number) },
  })
  expect(refused.headers).toMatchObject({ 'ratelimit-limit': '5', 'ratelimit-remaining': '0' })
  expect(refused.headers['retry-after']).toBe(refused.headers['ratelimit-reset'])
  expect((await call('other-organization-key')).statusCode).toBe(200)
})

test('requests at the same time share a step, so that another process can still admit requests', async () => {
  const memory = createMemoryRateLimiter()
  const slow: RateLimiter = {
    ...memory,
    async consume(bucket, limit, points) {
      await turn()
      return memory.consume(bucket, limit, points)
    },
  }
  await start(30_000, slow)
  const burst = await Promise.all(
    Array.from({ length: 120 }, (_, at) => call(at % 2 === 0 ? 'organization-key' : 'profile-key')),
  )
  expect(new Set(burst.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  expect(await memory.consume('organization:7', 30_000, 300)).toMatchObject({ remaining: 29_400 })
})

test('a key at its own limit does not use up the organization’s', async () => {
  await start(102)
  for (let at = 0; at < 120; at++) await call('profile-key')
  expect((await call('profile-key')).json().details).not.toHaveProperty('reason')
  expect((await call('organization-key')).statusCode).toBe(200)
})

test('many requests cost one count in the shared store', async () => {
  const memory = createMemoryRateLimiter()
  let counted = 0
  const counting: RateLimiter = {
    ...memory,
    consume(bucket, limit, points) {
      if (bucket.startsWith('organization:')) counted += 1
      return memory.consume(bucket, limit, points)
    },
  }
  await start(10_000, counting)
  for (let at = 0; at < 90; at++) expect((await call('organization-key')).statusCode).toBe(200)
  expect(counted).toBe(1)
})
