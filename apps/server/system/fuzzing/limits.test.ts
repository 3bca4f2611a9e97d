import { afterAll, beforeAll, expect, test } from 'vitest'
import type { HttpClient, HttpResponse } from '../clients/client.ts'
import { ANONYMOUS } from '../clients/client.ts'
import { expectRefusal } from '../clients/expect-refusal.ts'
import { registerOrganization } from '../clients/register-organization.ts'
import { type System, startSystem } from '../service/start-system.ts'

let system: System

beforeAll(async () => {
  system = await startSystem({ RATE_LIMIT_MULTIPLIER: '1' })
})
afterAll(() => system?.stop())

const header = (answer: HttpResponse<unknown>, name: string) => Number(answer.headers.get(name))

/** Sends until the limit refuses. Returns the number of accepted requests, and the refusal. */
async function exhaust(
  send: () => Promise<HttpResponse<unknown>>,
  most: number,
): Promise<{ passed: number; refused: HttpResponse<unknown> }> {
  for (let passed = 0; passed <= most; passed++) {
    const answer = await send()
    if (answer.status === 429) return { passed, refused: answer }
    expect(header(answer, 'ratelimit-remaining')).toBe(most - passed - 1)
    expect(header(answer, 'ratelimit-limit')).toBe(most)
    expect(header(answer, 'ratelimit-reset')).toBeGreaterThan(0)
    expect(header(answer, 'ratelimit-reset')).toBeLessThanOrEqual(60)
  }
  throw new Error(`more than ${most} requests were let through`)
}

function expectLimited(refused: HttpResponse<unknown>, most: number): void {
  expectRefusal(refused, 429, 'RATE_LIMIT_EXCEEDED')
  expect(header(refused, 'retry-after')).toBeGreaterThan(0)
  expect(header(refused, 'retry-after')).toBeLessThanOrEqual(60)
  expect([header(refused, 'ratelimit-limit'), header(refused, 'ratelimit-remaining')]).toEqual([most, 0])
}

test('a key has 100 reads and 20 writes a minute, counted separately and independent of other keys', async () => {
  const party = await registerOrganization(system)
  const client: HttpClient = await party.client()
  const sibling = await party.client()
  const reads = await exhaust(() => client.get('/v1/venues'), 100)
  expect(reads.passed).toBe(100)
  expectLimited(reads.refused, 100)

  // POST /v1/allocations is a read that counts as a write; refused requests count too.
  let turn = 0
  const paths = ['/v1/allocations', '/v1/wallets/register', '/v1/operations/999999999/cancel']
  const writes = await exhaust(() => client.post(paths[turn++ % paths.length]!, { userId: 'nobody' }), 20)
  expect(writes.passed).toBe(20)
  expectLimited(writes.refused, 20)
  expect((await sibling.get('/v1/venues')).status).toBe(200)
  expect((await sibling.post('/v1/allocations', { userId: 'nobody' })).status).toBe(200)
})

test('the limit is checked after the credential and before scope, idempotency and body', async () => {
  const party = await registerOrganization(system)
  const admin = await party.client({ isAdmin: true })
  const forbidden = () =>
    admin.request('POST', '/v1/wallets/register', { raw: '{', headers: { 'idempotency-key': 'k' } })
  expectRefusal(await forbidden(), 403, 'FORBIDDEN')
  for (let sent = 1; sent < 20; sent++) expectRefusal(await forbidden(), 403, 'FORBIDDEN')
  expectLimited(await forbidden(), 20)
  expectRefusal(await system.as(ANONYMOUS).post('/v1/wallets/register', {}), 401, 'INVALID_API_KEY')
})

test('a user can send 300 requests a minute to core', async () => {
  const party = await registerOrganization(system)
  const { passed, refused } = await exhaust(() => party.owner.get('/api/core/auth/me'), 300)
  expect(passed).toBe(300)
  expectLimited(refused, 300)
})

test('an address can try to sign in or up 20 times a minute', async () => {
  const nobody = system.as(ANONYMOUS)
  const tried: number[] = []
  for (;;) {
    const answer = await nobody.post('/api/core/auth/refresh', { refreshToken: 'nonsense' })
    tried.push(answer.status)
    if (answer.status !== 429) continue
    expectLimited(answer, 20)
    break
  }
  // The registrations of this file came through the same address.
  expect(tried.length).toBeLessThanOrEqual(18)
})
