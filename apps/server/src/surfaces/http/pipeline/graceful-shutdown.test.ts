// Also tested in: system/processes/process.test.ts (a stop of the whole service), surfaces/http/events/event-stream.test.ts (open streams).

import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import type { App } from '../app.ts'
import { testServer } from '../server/test-server.ts'

const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

/** A server whose connections may take five minutes to drain: nothing here may wait for that. */
async function serve(): Promise<App> {
  const { app } = await testServer(() => undefined, { drainMs: 300_000 })
  await app.listen({ host: '127.0.0.1', port: 0 })
  return app
}

async function connectTo(app: App): Promise<Socket> {
  const accepted = once(app.server, 'connection')
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  sockets.push(socket)
  await Promise.all([once(socket, 'connect'), accepted])
  return socket
}

test('a connection that never sent a request does not delay a stop', async () => {
  const app = await serve()
  const socket = await connectTo(app)
  const closed = once(socket, 'close')
  await app.close()
  await closed
})

test('a kept-alive connection without a request does not delay a stop', async () => {
  const app = await serve()
  const socket = await connectTo(app)
  socket.write('GET /health HTTP/1.1\r\nHost: weir\r\n\r\n')
  const [response] = await once(socket, 'data')
  expect(String(response)).toContain('200 OK')
  const closed = once(socket, 'close')
  await app.close()
  await closed
})
