import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { testShell } from '../../testing/test-shell.ts'
import { run } from '../run.ts'

/** A service that takes effect at the first request to `path`, whose response is lost, and replays it to the next. */
async function losingService(path: string): Promise<{ readonly url: string; readonly keys: Set<unknown> }> {
  const keys = new Set<unknown>()
  let requests = 0
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    request.resume()
    if (request.url === path) {
      keys.add(request.headers['idempotency-key'])
      requests += 1
      if (requests === 1) return void request.socket.destroy()
    }
    response.writeHead(201, { 'content-type': 'application/json', 'idempotency-replayed': 'true' })
    response.end(JSON.stringify({ success: true, data: { apiKey: null, id: 8, name: 'Payroll' } }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, keys }
}

test.each([
  [['keys', 'rotate', '7'], '/api/core/apikeys/7/rotate'],
  [['keys', 'create', 'Payroll'], '/api/core/apikeys/generate'],
])('%s fails if the key was lost with the response, and says how to replace it', async (args, path) => {
  const { url, keys } = await losingService(path)
  const shell = testShell({ WEIR_ACCESS_TOKEN: 'token', DATA_DIR: '/nowhere' })
  expect(await run([...args, '--url', url], shell)).toBe(3)
  expect(keys.size).toBe(1)
  expect(shell.printed).toEqual([])
  expect(shell.complained).toEqual([
    'weir: key 8 exists, but its value was lost with the response; replace it: weir keys rotate 8 --overlap 0',
  ])
})
