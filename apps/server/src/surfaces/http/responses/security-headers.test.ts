import { createHash } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import type { App } from '../app.ts'
import { testServer } from '../server/test-server.ts'
import { setPageHeaders } from './security-headers.ts'

let app: App
afterEach(() => app.close())

const PAGE = `<html><style>p { color: red }</style><script src="a.js"></script><script>start()</script></html>`

function routes(server: App): void {
  const config = { access: 'open', limit: 'anonymous' } as const
  server.get('/page', { config }, async (_request, reply) => {
    setPageHeaders(reply, { html: PAGE })
    return reply.type('text/html').send(PAGE as never)
  })
}

const start = async (trustedProxies?: readonly string[]) => {
  ;({ app } = await testServer(routes, trustedProxies ? { trustedProxies } : {}))
}

const hash = (code: string) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`

/** The values of one directive. */
const directive = (policy: unknown, name: string) =>
  String(policy)
    .split(';')
    .map((one) => one.trim().split(' '))
    .find(([first]) => first === name)
    ?.slice(1)

test('a browser neither runs, frames nor remembers a data response, and loads it from no other site', async () => {
  await start()
  for (const url of ['/health', '/nowhere', '/%zz']) {
    const { headers } = await app.inject(url)
    expect(headers, url).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
    })
    expect(directive(headers['content-security-policy'], 'default-src')).toEqual(["'none'"])
    expect(directive(headers['content-security-policy'], 'frame-ancestors')).toEqual(["'none'"])
    expect(headers).not.toHaveProperty('x-powered-by')
    expect(headers).not.toHaveProperty('server')
  }
})

test('inline code of a page runs by its hash only', async () => {
  await start()
  const policy = (await app.inject('/page')).headers['content-security-policy']
  expect(directive(policy, 'script-src')).toEqual(["'self'", hash('start()')])
  expect(directive(policy, 'style-src')).toEqual(["'self'", hash('p { color: red }')])
})

test('the reference runs its own inline script and no other', async () => {
  await start()
  const { headers, body } = await app.inject('/docs/api/')
  const inline = [...body.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(([, code]) => hash(code!))
  expect(inline.length).toBeGreaterThan(0)
  expect(directive(headers['content-security-policy'], 'script-src')).toEqual(["'self'", ...inline])
  expect(body).not.toMatch(/\son[a-z]+=|javascript:/i)
})

test('no other origin may read a response: a preflight and a request from elsewhere get no permission', async () => {
  await start()
  const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' }
  for (const [method, url] of [
    ['OPTIONS', '/health'],
    ['OPTIONS', '/nowhere'],
    ['GET', '/health'],
    ['GET', '/openapi.json'],
    ['GET', '/docs/'],
  ] as const) {
    const answer = await app.inject({ method, url, headers })
    if (method === 'OPTIONS') expect(answer.statusCode, url).toBeGreaterThanOrEqual(400)
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
  }
})

test('only a trusted proxy says that the caller came over TLS', async () => {
  await start(['10.0.0.0/8'])
  const hsts = async (remoteAddress: string, proto?: string) => {
    const headers = proto === undefined ? {} : { 'x-forwarded-proto': proto }
    return (await app.inject({ url: '/health', remoteAddress, headers })).headers['strict-transport-security']
  }
  expect(await hsts('10.0.0.1', 'https')).toBe('max-age=31536000; includeSubDomains')
  expect(await hsts('10.0.0.1', 'http')).toBeUndefined()
  expect(await hsts('10.0.0.1')).toBeUndefined()
  expect(await hsts('192.0.2.1', 'https')).toBeUndefined()
})
