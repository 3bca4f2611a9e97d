import { once } from 'node:events'
import { connect } from 'node:net'
import { Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import Type from 'typebox'
import { afterEach, describe, expect, test } from 'vitest'
import { Failure } from '../../../kernel/index.ts'
import type { App, ServerOptions } from '../app.ts'
import { testServer, v1Read } from './test-server.ts'

const open = { access: 'open', limit: 'anonymous' } as const
let app: App
afterEach(() => app.close())

let running = 0
const finish = Promise.withResolvers<void>()

function routes(app: App): void {
  app.get('/poll', { config: open }, async (request) => {
    running++
    await once(request.stopping, 'abort')
    return { work: [] }
  })
  app.get('/slow', { config: open }, async () => {
    running++
    await finish.promise
    return { done: true }
  })
  app.get('/stuck', { config: open }, async () => {
    running++
    return new Promise(() => {})
  })
  app.get('/defect', { config: { access: { surface: 'agent' }, limit: 'core' } }, async () => {
    throw new Error('relation "secrets" does not exist')
  })
  app.get('/away', { config: open }, async () => {
    throw Object.assign(new Error('terminating connection'), { code: '57P01' })
  })
  app.get('/broken-disk', { config: open }, async () => {
    throw Object.assign(new Error('could not read block 5 in file "base/1/2": Input/output error'), { code: '58030' })
  })
  app.get('/reasoned', { config: open }, async () => {
    throw new Failure('CHAIN_UNAVAILABLE', { cause: new Error('http://user:password@rpc.example') })
  })
  app.get(
    '/wrong',
    { config: open, schema: { response: { 200: Type.Object({ a: Type.String() }) } } },
    async () => ({}) as never,
  )
}

const start = async (options: Partial<ServerOptions> = {}) => {
  ;({ app } = await testServer(routes, options))
}
const listen = async (options: Partial<ServerOptions> = {}) => {
  await start(options)
  return app.listen({ port: 0, host: '127.0.0.1' })
}
const whenRunning = async (count: number) => {
  while (running < count) await pause(5)
}

describe('health', () => {
  test('reports that the process is up, and its version', async () => {
    await start()
    expect((await app.inject('/health')).json()).toEqual({ status: 'ok', version: '1.2.3' })
  })

  test('is ready when every check passes', async () => {
    await start({ checks: { database: async () => true, workers: async () => true } })
    expect((await app.inject('/ready')).json()).toEqual({ status: 'ready', checks: { database: 'ok', workers: 'ok' } })
  })

  test('is not ready when a check fails, throws or times out', async () => {
    const checks = {
      fine: async () => true,
      no: async () => false,
      throws: async () => Promise.reject(new Error('password authentication failed')),
      hangs: () => new Promise<boolean>(() => {}),
    }
    await start({ checks })
    const response = await app.inject('/ready')
    expect(response.statusCode).toBe(503)
    expect(response.json()).toMatchObject({
      code: 'NOT_READY',
      details: { checks: { fine: 'ok', no: 'failed', throws: 'failed', hangs: 'failed' } },
    })
    expect(response.body).not.toContain('password')
  })

  test('measures requests by route, and an unknown path adds no series', async () => {
    await start()
    await app.inject('/health')
    await app.inject('/random-1')
    await app.inject('/random-2')
    const metrics = await app.inject('/metrics')
    expect(metrics.headers['content-type']).toContain('text/plain')
    expect(metrics.body).toContain(
      'weir_http_request_duration_seconds_count{method="GET",route="/health",status="200"} 1',
    )
    expect(metrics.body).toContain(
      'weir_http_request_duration_seconds_count{method="any",route="unmatched",status="404"} 2',
    )
    expect(metrics.body).toContain('weir_http_requests_in_flight 1')
    expect(metrics.body).toContain('process_resident_memory_bytes')
    expect(metrics.body).not.toContain('random')
  })
})

describe('a server error', () => {
  test('shows no reason to the client and is logged with it, under the request id', async () => {
    const lines: Record<string, unknown>[] = []
    const sink = new Writable({ write: (chunk, _encoding, done) => done(void lines.push(JSON.parse(String(chunk)))) })
    await start({ log: pino({}, sink) })
    const response = await app.inject({
      url: '/defect',
      headers: { 'x-api-key': 'organization-key', 'x-request-id': 'trace-1' },
    })
    expect([response.statusCode, response.json()]).toEqual([
      500,
      { code: 'INTERNAL_ERROR', message: 'Something went wrong on our side.', requestId: 'trace-1' },
    ])
    const [defect, request] = lines
    expect(defect).toMatchObject({
      requestId: 'trace-1',
      err: { stack: expect.stringContaining('relation "secrets"') },
    })
    expect(request).toMatchObject({
      requestId: 'trace-1',
      method: 'GET',
      route: '/defect',
      status: 500,
      ms: expect.any(Number),
      organizationId: 7,
      msg: 'request',
    })
    expect(JSON.stringify(lines)).not.toContain('organization-key')
  })

  test('is 503 while the database is unavailable, and never exposes a cause', async () => {
    await start()
    const away = await app.inject('/away')
    expect([away.statusCode, away.json().code]).toEqual([503, 'NOT_READY'])
    const reasoned = await app.inject('/reasoned')
    expect([reasoned.statusCode, reasoned.json().code]).toEqual([503, 'CHAIN_UNAVAILABLE'])
    expect(away.body + reasoned.body).not.toMatch(/terminating|password/)
  })

  test('is 503, and an error in the log, where the database could not read its disk: a retry works after a failover', async () => {
    const lines: Record<string, unknown>[] = []
    await start({ log: pino({}, { write: (line: string) => lines.push(JSON.parse(line)) }) })
    const broken = await app.inject('/broken-disk')
    expect([broken.statusCode, broken.json().code, broken.headers['retry-after']]).toEqual([503, 'NOT_READY', '2'])
    expect(broken.body).not.toContain('block')
    expect(lines).toContainEqual(expect.objectContaining({ level: 50, msg: 'request refused' }))
  })

  test('includes a response that does not match the route’s schema', async () => {
    await start()
    const response = await app.inject('/wrong')
    expect([response.statusCode, response.json().code]).toEqual([500, 'INTERNAL_ERROR'])
  })
})

test('a route without access, or with a contradictory one, stops the start', async () => {
  await start()
  const withConfig = (url: string, method: 'GET' | 'POST', config: object) =>
    testServer((app) => void app.route({ url, method, config: config as never, handler: async () => ({}) }))
  await expect(withConfig('/a', 'GET', {})).rejects.toThrow('does not declare its access and limit')
  await expect(withConfig('/a', 'GET', v1Read)).rejects.toThrow('outside of /v1/')
  await expect(withConfig('/v1/a', 'POST', v1Read)).rejects.toThrow('must count as v1.write')
  const { permission: _, ...unsaid } = v1Read.access
  await expect(withConfig('/v1/a', 'GET', { ...v1Read, access: unsaid })).rejects.toThrow(
    'does not declare the permission',
  )
  await expect(withConfig('/a', 'GET', { ...open, idempotent: 'plain' })).rejects.toThrow('is read-only')
  await expect(withConfig('/a', 'POST', { ...open, idempotent: 'secret' })).rejects.toThrow('secretFields')
})

describe('on a real socket', () => {
  test.each([
    ['what is no HTTP', 'NONSENSE\r\n\r\n', 400],
    ['a request without Host', 'GET /health HTTP/1.1\r\nconnection: close\r\n\r\n', 400],
    ['a body shorter than it says', 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\n\r\n{}', 400],
    ['headers without end', `GET / HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 431],
  ])('%s is rejected in the service’s own error shape', async (_name, bytes, status) => {
    const { port } = new URL(await listen())
    const socket = connect(Number(port), '127.0.0.1')
    socket.end(bytes)
    let answer = ''
    for await (const chunk of socket) answer += chunk
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(JSON.parse(body)).toMatchObject({ code: 'VALIDATION_ERROR', requestId: expect.stringMatching(/^req_/) })
    expect(head).toContain(`x-request-id: ${JSON.parse(body).requestId}`)
  })

  test('a stop ends long polls at once, lets other requests finish, and accepts no new ones', async () => {
    running = 0
    const url = await listen()
    const poll = fetch(`${url}/poll`)
    const slow = fetch(`${url}/slow`)
    await whenRunning(2)
    const closed = app.close()
    expect(await (await poll).json()).toEqual({ work: [] })
    await expect(fetch(`${url}/health`)).rejects.toThrow()
    finish.resolve()
    expect(await (await slow).json()).toEqual({ done: true })
    await closed
  })

  test('a stop closes requests that do not finish in time', async () => {
    running = 0
    const url = await listen({ drainMs: 50 })
    const stuck = fetch(`${url}/stuck`)
    await whenRunning(1)
    await Promise.all([expect(stuck).rejects.toThrow(), app.close()])
  })
})
