import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { Readable } from 'node:stream'
import { afterEach, expect, test } from 'vitest'
import type { App } from '../app.ts'
import { testServer, v1Read } from '../server/test-server.ts'

let app: App
afterEach(() => app?.close())

let timeouts: number

/** A server whose response is this stream. */
async function serve(stream: Readable): Promise<number> {
  const routes = (server: App) =>
    server.get('/v1/stream', { config: v1Read }, async (_request, reply) => reply.type('text/plain').send(stream))
  timeouts = 0
  ;({ app } = await testServer(routes, { responseStalledMs: 50 }))
  app.server.on('connection', (socket) => socket.on('timeout', () => (timeouts += 1)))
  await app.listen({ host: '127.0.0.1', port: 0 })
  return (app.server.address() as AddressInfo).port
}

function ask(port: number) {
  const client = connect(port, '127.0.0.1')
  client.write('GET /v1/stream HTTP/1.1\r\nhost: a\r\nx-api-key: organization-key\r\n\r\n')
  return client
}

test('a streamed response ends once its client takes nothing', async () => {
  const stream = Readable.from(
    (function* () {
      for (;;) yield 'x'.repeat(65_536)
    })(),
  )
  const client = ask(await serve(stream))
  client.pause()
  await once(stream, 'close')
  expect(stream.destroyed).toBe(true)
  client.destroy()
})

test('a streamed response that has nothing to send at the moment stays open', async () => {
  const turns = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const stream = Readable.from(
    (async function* () {
      yield 'first '
      await turns[0]!.promise
      yield 'second '
      await turns[1]!.promise
      yield 'last'
    })(),
    { objectMode: false },
  )
  const client = ask(await serve(stream))
  let text = ''
  client.setEncoding('utf8').on('data', (part: string) => {
    text += part
  })
  for (const [at, { resolve }] of turns.entries()) {
    await expect.poll(() => timeouts).toBeGreaterThan(at * 2 + 1)
    resolve()
  }
  await expect.poll(() => text).toContain('last')
  client.destroy()
})
