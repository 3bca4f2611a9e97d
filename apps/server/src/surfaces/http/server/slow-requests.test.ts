import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { App } from '../app.ts'
import { testServer } from './test-server.ts'

let app: App
let socket: Socket
beforeEach(async () => {
  ;({ app } = await testServer(() => undefined, { arrivalMs: 200 }))
  await app.listen({ host: '127.0.0.1', port: 0 })
  socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => undefined)
})
afterEach(async () => {
  socket.destroy()
  await app.close()
})

test.each([
  ['headers', 'GET /health HTTP/1.1\r\nHost: a\r\nX: '],
  ['body', 'POST /health HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n'],
])('%s that arrive a byte at a time are closed in time, however long the client goes on', async (_part, beginning) => {
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  const closed = once(socket, 'close')
  let isOpen = true
  socket.once('close', () => {
    isOpen = false
  })
  socket.write(beginning)
  const dribble = (async () => {
    while (isOpen) {
      socket.write('a')
      await pause(20)
    }
  })()
  await closed
  await dribble
  expect(text).toMatch(/^HTTP\/1\.1 408 /)
})
