import { Writable } from 'node:stream'
import { pino } from 'pino'
import Type from 'typebox'
import { afterEach, expect, test } from 'vitest'
import { until } from '../../../../testing/index.ts'
import { EVERYONE } from '../access/access.ts'
import type { App } from '../app.ts'
import { testServer } from '../server/test-server.ts'

let app: App
afterEach(() => app.close())

const open = { access: 'open', limit: 'anonymous' } as const

test.each(['GET', 'POST'])(
  'a %s whose client disconnects before the response is counted and logged once',
  async (method) => {
    const lines: { msg?: string }[] = []
    const log = pino(new Writable({ write: (line, _, done) => done(void lines.push(JSON.parse(String(line)))) }))
    const reached = Promise.withResolvers<void>()
    const answer = Promise.withResolvers<void>()
    const wait = async () => {
      reached.resolve()
      await answer.promise
      return {}
    }
    ;({ app } = await testServer(
      (routes) => {
        routes.get('/wait', { config: open }, wait)
        routes.post('/wait', { config: open, schema: { body: Type.Object({}) } }, wait)
      },
      { log },
    ))
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    const caller = new AbortController()
    const body = method === 'POST' ? { body: '{}', headers: { 'content-type': 'application/json' } } : {}
    const asked = fetch(`${url}/wait`, { method, signal: caller.signal, ...body })
    await reached.promise
    caller.abort()
    await expect(asked).rejects.toThrow()
    const metrics = async () => (await app.inject('/metrics')).body
    await until(async () => (await metrics()).includes('weir_http_requests_aborted_total 1'))
    // A response after the disconnect changes nothing.
    answer.resolve()
    // The one in flight is this request.
    await until(async () => (await metrics()).includes('weir_http_requests_in_flight 1\n'))
    expect(await metrics()).toContain('weir_http_requests_aborted_total 1')
    expect(lines.filter(({ msg }) => msg === 'client disconnected')).toHaveLength(1)
  },
)

test('the log line of a request names its key or user and the caller’s address', async () => {
  const lines: Record<string, unknown>[] = []
  const log = pino(new Writable({ write: (line, _, done) => done(void lines.push(JSON.parse(String(line)))) }))
  ;({ app } = await testServer(
    (routes) => {
      const config = { access: { surface: 'core', roles: EVERYONE, key: 'read' }, limit: 'core' } as const
      routes.get('/api/core/things', { config }, async () => ({}))
    },
    { log },
  ))
  const headers = [{ 'x-api-key': 'organization-key' }, { authorization: 'Bearer viewer' }, {}]
  for (const sent of headers) await app.inject({ url: '/api/core/things', headers: sent, remoteAddress: '192.0.2.7' })
  const logged = await until(() => {
    const requests = lines.filter(({ msg }) => msg === 'request')
    return requests.length === headers.length ? requests : undefined
  })
  expect(logged.map(({ status, keyId, userId, address }) => ({ status, keyId, userId, address }))).toEqual([
    { status: 200, keyId: 3, userId: undefined, address: '192.0.2.7' },
    { status: 200, keyId: undefined, userId: 2, address: '192.0.2.7' },
    { status: 401, keyId: undefined, userId: undefined, address: '192.0.2.7' },
  ])
  expect(JSON.stringify(lines)).not.toContain('organization-key')
})
