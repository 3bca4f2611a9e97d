import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type TLSSocket } from 'node:tls'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { until } from '../../../testing/index.ts'
import { type SelfSigned, selfSigned } from '../../../testing/stand-ins/self-signed.ts'
import { silentLog } from '../../kernel/index.ts'
import type { App } from '../../surfaces/http/index.ts'
import { testServer } from '../../surfaces/http/server/test-server.ts'
import { readCertificate, reloadCertificate } from './tls-certificate.ts'

let folder: string
let files: { certFile: string; keyFile: string }
let app: App | undefined
const sockets: TLSSocket[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'weir-certificate-'))
  files = { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') }
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await app?.close()
  app = undefined
  rmSync(folder, { recursive: true })
})

async function write(certificate?: SelfSigned): Promise<string> {
  const { cert, key } = certificate ?? (await selfSigned())
  writeFileSync(files.keyFile, key)
  writeFileSync(files.certFile, cert)
  return new X509Certificate(cert).fingerprint256
}

async function serve(checkMs: number): Promise<() => void> {
  const { app: server } = await testServer(() => undefined, { tls: readCertificate(files) })
  app = server
  const end = reloadCertificate(server.server as never, files, { log: silentLog, checkMs })
  await server.listen({ host: '127.0.0.1', port: 0 })
  return end
}

async function handshake(): Promise<TLSSocket> {
  const { port } = app!.server.address() as AddressInfo
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
  sockets.push(socket)
  await once(socket, 'secureConnect')
  return socket
}

const served = async () => (await handshake()).getPeerX509Certificate()!.fingerprint256

async function isServed(socket: TLSSocket): Promise<boolean> {
  socket.write('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n')
  return String((await once(socket, 'data'))[0]).includes('200 OK')
}

test('a renewed certificate serves new connections, and open ones go on', async () => {
  const first = await write()
  const end = await serve(20)
  const open = await handshake()
  expect(await served()).toBe(first)
  const second = await write()
  expect(second).not.toBe(first)
  await until(async () => (await served()) === second)
  expect(await isServed(open)).toBe(true)
  end()
})

test('SIGHUP reads the files at once, and the listener ends with the service', async () => {
  await write()
  const before = process.listenerCount('SIGHUP')
  const end = await serve(3_600_000)
  const second = await write()
  process.emit('SIGHUP')
  expect(await served()).toBe(second)
  end()
  expect(process.listenerCount('SIGHUP')).toBe(before)
})

test('a certificate whose key is not there yet changes nothing', async () => {
  const first = await write()
  const end = await serve(3_600_000)
  const { cert } = await selfSigned()
  for (const unusable of [cert, 'not a certificate', '']) {
    writeFileSync(files.certFile, unusable)
    process.emit('SIGHUP')
    expect(await served()).toBe(first)
  }
  rmSync(files.certFile)
  process.emit('SIGHUP')
  expect(await served()).toBe(first)
  end()
})

test('files that cannot be used together stop the start with one line', async () => {
  await write()
  writeFileSync(files.keyFile, (await selfSigned()).key)
  expect(() => readCertificate(files)).toThrow(
    expect.objectContaining({
      name: 'ConfigError',
      problems: [expect.stringMatching(/^TLS_CERT_FILE and TLS_KEY_FILE cannot be used: .*mismatch/)],
    }),
  )
})
