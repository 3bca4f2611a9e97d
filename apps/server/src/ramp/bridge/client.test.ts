// Also tested in: ramp/bridge/bridge.test.ts, hostile-partner.test.ts (the calls and what the partner may answer).
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loggedLines } from '../../../testing/logged-lines.ts'
import { createBridgeClient } from './client.ts'

let status = 200
const server = createServer((_request, response) => {
  response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
})
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => new Promise((resolve) => server.close(resolve)))

test('a rejected API key is two lines, however many calls it fails', async () => {
  const { log, lines, take } = loggedLines()
  const { port } = server.address() as AddressInfo
  const client = createBridgeClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'old', log, timeoutMs: 5_000 })
  const call = () => client.post('/kyc_links', {}, 'key').catch(() => undefined)
  status = 401
  for (let calls = 0; calls < 5; calls += 1) await call()
  expect(lines).toMatchObject([{ level: 50, status: 401, msg: 'the banking partner rejected the API key' }])
  take()
  // The partner's own defects say nothing about the key.
  status = 503
  await call()
  status = 401
  await call()
  expect(take()).toEqual([])
  status = 422
  await call()
  expect(lines).toMatchObject([
    { failures: 6, seconds: expect.any(Number), msg: 'the banking partner accepts the API key again' },
  ])
})
