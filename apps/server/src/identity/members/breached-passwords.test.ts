import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { silentLog } from '../../kernel/index.ts'
import { breachedPasswords } from './breached-passwords.ts'

// SHA-1 of `maple-orbit-cactus`.
const PREFIX = 'D2731'
const SUFFIX = 'C7D61040278778587D18A849B76F5A32EFB'
let server: Server | undefined
afterEach(() => void server?.closeAllConnections())
afterEach(() => void server?.close())

async function listAnswering(listener: RequestListener) {
  const opened = createServer(listener).listen(0, '127.0.0.1')
  server = opened
  await new Promise((resolve) => opened.once('listening', resolve))
  const { port } = opened.address() as AddressInfo
  return breachedPasswords({ url: `http://127.0.0.1:${port}/range`, log: silentLog })
}

test('only five digits of the hash leave the service, and a listed password is found', async () => {
  const paths: (string | undefined)[] = []
  const list = await listAnswering((request, response) => {
    paths.push(request.url)
    response.end('0018A45C4D1DEF81644B54AB7F969B88D65:3\r\nSUFFIX:12\r\n')
  })
  expect(await list.has('maple-orbit-cactus')).toBe(false)
  expect(paths).toEqual([`/range/${PREFIX}`])
})

test('a password whose suffix is listed is breached, unless the line is padding', async () => {
  let count = '7'
  const list = await listAnswering((_, response) => response.end(`${SUFFIX}:${count}\r\n`))
  expect(await list.has('maple-orbit-cactus')).toBe(true)
  count = '0'
  expect(await list.has('maple-orbit-cactus')).toBe(false)
})

test.each<[string, RequestListener]>([
  ['refuses', (_, response) => response.writeHead(503).end()],
  ['never answers', () => undefined],
  ['answers without end', (_, response) => void setInterval(() => response.write('A'.repeat(65_536)), 1).unref()],
])('a list that %s refuses no password', async (_, listener) => {
  const list = await listAnswering(listener)
  expect(await list.has('maple-orbit-cactus')).toBe(false)
})

test('a list that answers without end sends no more than its limit and what is on the way', async () => {
  let sent = 0
  const list = await listAnswering((request, response) => {
    request.socket.on('close', () => {
      sent = request.socket.bytesWritten
    })
    const write = () => {
      while (!response.destroyed) if (!response.write('A'.repeat(65_536))) return response.once('drain', write)
      return response
    }
    write()
  })
  expect(await list.has('maple-orbit-cactus')).toBe(false)
  await expect.poll(() => sent).toBeGreaterThan(0)
  expect(sent).toBeLessThan(8 * 1_048_576)
})

test('a redirect of the list is not followed', async () => {
  let asked = 0
  const list = await listAnswering((_, response) => {
    asked += 1
    response.writeHead(302, { location: `/range/${PREFIX}` }).end(`${SUFFIX}:7`)
  })
  expect(await list.has('maple-orbit-cactus')).toBe(false)
  expect(asked).toBe(1)
})
