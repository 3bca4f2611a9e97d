import { afterEach, expect, test } from 'vitest'
import type { App } from '../app.ts'
import { testServer } from '../server/test-server.ts'
import { clientAddress } from './client-address.ts'

let app: App
afterEach(() => app?.close())

const start = async (trustedProxies?: readonly string[]) => {
  const routes = (server: App) =>
    server.get('/who', { config: { access: 'open', limit: 'anonymous' } }, async (request) => ({
      address: clientAddress(request),
    }))
  ;({ app } = await testServer(routes, trustedProxies ? { trustedProxies } : {}))
}
const addressOf = async (remoteAddress: string, forwarded?: string) => {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  return (await app.inject({ method: 'GET', url: '/who', remoteAddress, headers })).json().address
}

test('without trusted proxies the connection names the caller, whatever a header says', async () => {
  await start()
  expect(await addressOf('192.0.2.1', '198.51.100.7')).toBe('192.0.2.1')
  expect(await addressOf('::ffff:192.0.2.1')).toBe('192.0.2.1')
})

test('a trusted proxy names the caller; an address that the caller wrote itself does not count', async () => {
  await start(['10.0.0.0/8', 'fd00::/8'])
  expect(await addressOf('10.1.2.3', '198.51.100.7')).toBe('198.51.100.7')
  expect(await addressOf('::ffff:10.1.2.3', '198.51.100.7')).toBe('198.51.100.7')
  expect(await addressOf('fd00::1', '2001:db8::5')).toBe('2001:db8::5')
  expect(await addressOf('10.1.2.3', '203.0.113.9, 198.51.100.7')).toBe('198.51.100.7')
  expect(await addressOf('10.1.2.3', '203.0.113.9, 198.51.100.7, 10.9.9.9')).toBe('198.51.100.7')
  expect(await addressOf('192.0.2.1', '198.51.100.7')).toBe('192.0.2.1')
})

test('a proxy may report a port; a report that is no address counts as the proxy itself', async () => {
  await start(['10.0.0.0/8'])
  expect(await addressOf('10.1.2.3', '198.51.100.7:51234')).toBe('198.51.100.7')
  expect(await addressOf('10.1.2.3', '[2001:db8::5]:51234')).toBe('2001:db8::5')
  expect(await addressOf('10.1.2.3', 'unknown')).toBe('10.1.2.3')
  expect(await addressOf('10.1.2.3', 'x'.repeat(5_000))).toBe('10.1.2.3')
})

test('the address of a caller who left meanwhile is that of the arrival, and an unknown one has a form too', async () => {
  await start()
  const gone = { ip: undefined, socket: { remoteAddress: undefined } } as never
  expect(clientAddress(gone)).toBe('0.0.0.0')
  const leaving = { ip: '192.0.2.1', socket: { remoteAddress: '192.0.2.1' } }
  expect(clientAddress(leaving as never)).toBe('192.0.2.1')
  Object.assign(leaving, { ip: undefined, socket: {} })
  expect(clientAddress(leaving as never)).toBe('192.0.2.1')
})
