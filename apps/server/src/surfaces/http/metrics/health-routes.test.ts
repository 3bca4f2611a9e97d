import Type from 'typebox'
import { afterEach, expect, test } from 'vitest'
import { loggedLines } from '../../../../testing/logged-lines.ts'
import type { App } from '../app.ts'
import { testServer, v1Read, v1Write } from '../server/test-server.ts'

// `build-server.test.ts` tests the effect of a failing check.
let app: App
afterEach(() => app.close())

let written = 0
function routes(server: App): void {
  const schema = { response: { 200: Type.Object({}) } }
  server.get('/v1/plans', { config: v1Read, schema }, async () => ({}))
  server.post('/v1/supply', { config: v1Write, schema }, async () => {
    written += 1
    return {}
  })
}
const headers = { 'x-api-key': 'profile-key' }

test('warnings of the database do not make the service unready', async () => {
  let warnings = ['one_node']
  ;({ app } = await testServer(routes, { checks: { writes: async () => true }, warnings: async () => warnings }))
  const response = await app.inject('/ready')
  expect(response.statusCode).toBe(200)
  expect(response.json()).toEqual({ status: 'ready', checks: { writes: 'ok' }, warnings: ['one_node'] })
  warnings = []
  expect((await app.inject('/ready')).json()).toEqual({ status: 'ready', checks: { writes: 'ok' } })
})

test('a process whose jobs make no progress is not ready, and names them; with progress it lists who does what', async () => {
  const at = new Date('2026-01-01T00:00:00Z')
  const progress = { at: at.toISOString(), blocksBehind: 3, latestBlockAt: at.toISOString() }
  const jobs = [{ job: 'follow base', workerId: 2, worker: 'host 17', since: at, ...progress }]
  const shared = [{ job: 'rebalance', since: at, failure: 'TypeError' }]
  const stalled = [{ job: 'follow base', seconds: 61, failure: 'CHAIN_UNAVAILABLE' }]
  const report = { workerId: 2, jobs, shared, offered: [], stalled, resting: [], renewedMs: 10 }
  let isStalled = true
  ;({ app } = await testServer(routes, {
    checks: { workers: async () => true, progress: async () => !isStalled },
    work: () => (isStalled ? report : { ...report, stalled: [] }),
  }))
  const refused = await app.inject('/ready')
  expect(refused.statusCode).toBe(503)
  expect(refused.json()).toMatchObject({
    code: 'NOT_READY',
    details: { checks: { workers: 'ok', progress: 'failed' }, stalled },
  })
  isStalled = false
  const since = at.toISOString()
  expect((await app.inject('/ready')).json()).toMatchObject({
    status: 'ready',
    work: [
      { job: 'follow base', worker: 2, since, lastProgressAt: since, blocksBehind: 3, latestBlockAt: since },
      { job: 'rebalance', worker: 2, since, failure: 'TypeError' },
    ],
  })
})

test('writes that one node would keep are refused before they have an effect, and reads go on', async () => {
  let refuses = true
  ;({ app } = await testServer(routes, { refusesWrites: () => refuses }))
  const refused = await app.inject({ method: 'POST', url: '/v1/supply', headers })
  expect([refused.statusCode, refused.json().code, refused.json().details, refused.headers['retry-after']]).toEqual([
    503,
    'NOT_READY',
    { reason: 'not_replicated' },
    '2',
  ])
  expect(written).toBe(0)
  expect((await app.inject({ url: '/v1/plans', headers })).statusCode).toBe(200)
  refuses = false
  expect((await app.inject({ method: 'POST', url: '/v1/supply', headers })).statusCode).toBe(200)
})

test('a check that fails is logged once, and once when it passes again, with how long that took', async () => {
  const { log, lines } = loggedLines()
  let isPassing = false
  ;({ app } = await testServer(routes, { log, checks: { writes: async () => isPassing } }))
  for (let asked = 0; asked < 3; asked += 1) await app.inject('/ready')
  isPassing = true
  for (let asked = 0; asked < 3; asked += 1) await app.inject('/ready')
  expect(lines.filter(({ check }) => check === 'writes')).toMatchObject([
    { level: 40, msg: 'readiness check failed' },
    { failures: 3, seconds: expect.any(Number), msg: 'readiness check passes again' },
  ])
})
