import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyRoute } from '../../../testing/surfaces/every-route.ts'
import type { App } from '../http/index.ts'

let app: App
beforeAll(async () => {
  ;({ app } = await everyRoute())
})
afterAll(() => app?.close())

test('the page turns no text into markup, runs its own scripts only, and loads from no other host', async () => {
  const { headers, body } = await app.inject({ url: '/app/venues', headers: { accept: 'text/html' } })
  const policy = String(headers['content-security-policy'])
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain("connect-src 'self'")
  expect(policy).toContain("require-trusted-types-for 'script'")
  expect(policy).not.toMatch(/unsafe-(?:inline|eval)|https?:/)
  for (const [, url] of body.matchAll(/<(?:script|link|img)\b[^>]*?(?:src|href)="([^"]+)"/g)) expect(url).toMatch(/^\//)
})

test.each([
  ['sandbox', true],
  ['live', false],
])('the page says that it is of the %s service, before anybody signs in', async (environment, sandbox) => {
  const { app: own } = await everyRoute({ sandbox })
  const { body } = await own.inject({ url: '/', headers: { accept: 'text/html' } })
  expect(body).toContain(`name="environment" content="${environment}"`)
  await own.close()
})

test.each(['/dashboard', '/dashboard/'])(
  '%s leads a browser to the dashboard and shows it to every other client',
  async (url) => {
    const browser = await app.inject({ url, headers: { accept: 'text/html,*/*;q=0.8' } })
    expect([browser.statusCode, browser.headers.location]).toEqual([302, '/'])
    for (const headers of [{}, { accept: '*/*' }]) {
      const { statusCode, headers: sent } = await app.inject({ url, headers })
      expect([statusCode, sent['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    }
    expect((await app.inject('/dashboards')).statusCode).toBe(404)
  },
)

test.each(['files.json', '..%2findex.html', '..%2f..%2fpackage.json', '__proto__', ''])(
  'no file but the listed assets is served: %s',
  async (name) => {
    expect((await app.inject(`/assets/${name}`)).statusCode).toBe(404)
  },
)
