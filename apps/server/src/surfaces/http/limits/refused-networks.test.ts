import { afterEach, beforeEach, expect, test } from 'vitest'
import { Failure, RATE_LIMITS, REFUSED_NETWORK_LOOKUPS_PER_SECOND } from '../../../kernel/index.ts'
import type { App } from '../app.ts'
import { testServer, v1Read } from '../server/test-server.ts'

let app: App
let lookups: number
let refusals: number
/** 3 refused credentials a minute. */
const LIMIT = 3

beforeEach(async () => {
  lookups = 0
  refusals = 0
  const key = { kind: 'key', organizationId: 7, keyId: 1, scope: 'organization', walletProfileId: null } as const
  const routes = (server: App) => server.get('/v1/things', { config: v1Read }, async () => ({}))
  ;({ app } = await testServer(routes, {
    rateLimitMultiplier: LIMIT / RATE_LIMITS.anonymous,
    organizationRateLimit: 1_000_000_000,
    authenticate: {
      async key(text) {
        lookups += 1
        if (!text.startsWith('right')) {
          refusals += 1
          throw new Failure('INVALID_API_KEY')
        }
        return { ...key, permissions: null, rateLimitOverrides: { 'v1.read': 1_000_000_000 } }
      },
      async bearer() {
        throw new Failure('UNAUTHORIZED')
      },
    },
  }))
})
afterEach(() => app.close())

const call = (key: string, remoteAddress = '192.0.2.1') =>
  app.inject({ url: '/v1/things', headers: { 'x-api-key': key }, remoteAddress })

/** Guesses until the network's limit is used up. */
async function guessTooOften(): Promise<void> {
  for (let each = 0; each <= LIMIT; each += 1) await call(`wrong-${each}`)
}

test('guesses of a network over its limit cost few look-ups, and are refused as before', async () => {
  await guessTooOften()
  const before = lookups
  const answers = await Promise.all(Array.from({ length: 200 }, (_, at) => call(`guess-${at}`)))
  // The second may change meanwhile.
  expect(lookups - before).toBeLessThanOrEqual(3 * REFUSED_NETWORK_LOOKUPS_PER_SECOND)
  const last = answers.at(-1)!
  expect(last.json()).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', details: { retryAfterSeconds: expect.any(Number) } })
  expect(last.headers).toMatchObject({ 'ratelimit-limit': String(LIMIT), 'ratelimit-remaining': '0' })
  expect(Number(last.headers['retry-after'])).toBeGreaterThan(0)
  expect(refusals).toBe(lookups)
})

test('a credential that was accepted before works from such a network, and another network is unaffected', async () => {
  expect((await call('right-1')).statusCode).toBe(200)
  await guessTooOften()
  await Promise.all(Array.from({ length: 50 }, (_, at) => call(`guess-${at}`)))
  expect((await call('right-1')).statusCode).toBe(200)
  expect((await call('right-2', '192.0.2.2')).statusCode).toBe(200)
})

test('an accepted credential is known whatever else its requests carry, and many others do not displace it soon', async () => {
  expect((await call('right-1')).statusCode).toBe(200)
  for (let each = 0; each < 50; each += 1) await call(`right-other-${each}`)
  await guessTooOften()
  await Promise.all(Array.from({ length: 50 }, (_, at) => call(`guess-${at}`)))
  const headers = { 'x-api-key': 'right-1', cookie: 'theme=dark' }
  const withCookie = await app.inject({ url: '/v1/things', headers, remoteAddress: '192.0.2.1' })
  expect(withCookie.statusCode).toBe(200)
})

test('a new credential of such a network is looked up before the window ends', async () => {
  await guessTooOften()
  await expect.poll(async () => (await call('right-new')).statusCode, { timeout: 5_000 }).toBe(200)
})
