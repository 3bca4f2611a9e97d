// Also tested in: main/start/tls-certificate.test.ts (renewal), surfaces/http/pipeline/graceful-shutdown.test.ts (a stop).
import { once } from 'node:events'
import { type AddressInfo, connect as connectPlain, type Socket } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { type SelfSigned, selfSigned } from '../../../../testing/stand-ins/self-signed.ts'
import type { App } from '../app.ts'
import { testServer } from './test-server.ts'

let certificate: SelfSigned
beforeAll(async () => {
  certificate = await selfSigned()
})

let app: App
const sockets: Socket[] = []
afterEach(async () => {
  await app.close()
  for (const socket of sockets.splice(0)) socket.destroy()
})

async function listen(handshakeMs?: number): Promise<number> {
  ;({ app } = await testServer(() => undefined, { tls: certificate, ...(handshakeMs && { handshakeMs }) }))
  await app.listen({ host: '127.0.0.1', port: 0 })
  return (app.server.address() as AddressInfo).port
}

async function secure(port: number, options: object = {}): Promise<TLSSocket> {
  const socket = connect({ port, host: '127.0.0.1', ca: certificate.cert, ...options })
  sockets.push(socket)
  await once(socket, 'secureConnect')
  return socket
}

/** A server that closes a connection before it has read everything may reset it. */
function closedOrReset(socket: Socket): Promise<void> {
  socket.on('error', () => undefined)
  return new Promise((resolve) => socket.once('close', () => resolve()))
}

async function get(socket: Socket, path: string): Promise<string> {
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  const [chunk] = await once(socket, 'data')
  return String(chunk)
}

const plain = (port: number): Socket => {
  const socket = connectPlain(port, '127.0.0.1')
  sockets.push(socket)
  return socket
}

test.each(['TLSv1.2', 'TLSv1.3'] as const)('serves %s and tells browsers to use nothing else', async (version) => {
  const port = await listen()
  const socket = await secure(port, { minVersion: version, maxVersion: version })
  expect(socket.getProtocol()).toBe(version)
  const answer = await get(socket, '/health')
  expect(answer).toContain('200 OK')
  expect(answer).toContain('strict-transport-security: max-age=31536000; includeSubDomains')
})

test.each(['TLSv1', 'TLSv1.1'] as const)('refuses %s', async (version) => {
  const port = await listen()
  const old = { minVersion: 'TLSv1', maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' }
  await expect(secure(port, old)).rejects.toThrow()
  expect(await get(await secure(port), '/health')).toContain('200 OK')
})

test('plain HTTP on the TLS port gets no response, and others are served', async () => {
  const port = await listen()
  const socket = plain(port)
  const received: Buffer[] = []
  socket.on('data', (bytes) => received.push(bytes))
  socket.on('error', () => undefined)
  socket.write('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await once(socket, 'close')
  expect(Buffer.concat(received).toString('latin1')).not.toContain('HTTP/1.1 200')
  expect(await get(await secure(port), '/health')).toContain('200 OK')
})

test('a handshake that hangs is closed in time, and others are served meanwhile', async () => {
  // Long enough for a handshake on a busy machine.
  const port = await listen(1_000)
  const hanging = Array.from({ length: 20 }, () => plain(port))
  const closed = Promise.all(hanging.map(closedOrReset))
  // The beginning of a handshake record that never comes.
  for (const socket of hanging) socket.write(Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00]))
  expect(await get(await secure(port), '/health')).toContain('200 OK')
  await closed
})

test('a handshake that hangs does not delay a stop', async () => {
  const port = await listen(300_000)
  const accepted = once(app.server, 'connection')
  const socket = plain(port)
  await accepted
  const closed = closedOrReset(socket)
  socket.write(Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00]))
  await app.close()
  await closed
})

test('an encrypted connection that was never used does not delay a stop', async () => {
  const socket = await secure(await listen())
  const closed = once(socket, 'close')
  await app.close()
  await closed
})
