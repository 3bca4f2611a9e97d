// The cost of hostile responses to webhooks, and of those to single sign-on, which passes the same guard.

import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { WEBHOOK_TIMEOUT_MS } from '../../kernel/index.ts'
import { createGuardedAgent } from '../guard/guarded-agent.ts'
import { createGuardedFetch } from '../guard/guarded-fetch.ts'
import { sendWebhook } from './send-webhook.ts'

const MEBIBYTE = 1_048_576
const rules = { allowLocal: true, allowed: [] }
const agent = createGuardedAgent(rules)
const MESSAGE = { id: 'evt_1', at: new Date(), body: '{}', secrets: [`whsec_${'a'.repeat(32)}`] }

let server: Server | undefined
const sockets = new Set<Socket>()
afterEach(() => {
  for (const socket of sockets) socket.destroy()
  server?.close()
})

/** A receiver that writes what it likes once a request has arrived, without any library. */
async function hostile(respond: (socket: Socket) => void): Promise<string> {
  server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).once('data', () => respond(socket))
  })
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
}

/** Writes `first`, then `part` until the caller hangs up; counts the bytes. */
function endless(first: string, part: string) {
  const bytes = Buffer.from(part.repeat(Math.ceil(65_536 / part.length)))
  let sent = 0
  const write = (socket: Socket) => {
    while (!socket.destroyed) {
      sent += bytes.length
      if (!socket.write(bytes)) {
        socket.once('drain', () => write(socket))
        return
      }
    }
  }
  return {
    sent: () => sent,
    respond(socket: Socket) {
      socket.write(first)
      write(socket)
    },
  }
}

const OK = 'HTTP/1.1 200 OK\r\n'
const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`

describe('a hostile receiver takes a bounded part of a body and of time', () => {
  test.each([
    ['a body', `${OK}\r\n`, 'a', true],
    ['a body of a stated length', `${OK}content-length: 99999999999\r\n\r\n`, 'a', true],
    ['chunks', CHUNKED, '1\r\na\r\n', true],
    ['a chunk', `${CHUNKED}ffffffff\r\n`, 'a', true],
    ['a header', `${OK}x-long: `, 'a', false],
    ['headers', OK, 'x-a: b\r\n', false],
    ['a status line', 'HTTP/1.1 200 ', 'a', false],
    ['trailers', `${CHUNKED}1\r\na\r\n0\r\n`, 'x-a: b\r\n', true],
    ['an extension of a chunk', `${CHUNKED}1;`, 'a', true],
    ['interim responses', '', 'HTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\n', false],
    ['anything but HTTP', '\0', '\0', false],
  ])('that has no end: %s', { timeout: 120_000 }, async (_, first, part, ok) => {
    const receiver = endless(first, part)
    const url = await hostile(receiver.respond)
    const before = process.threadCpuUsage()
    const result = await sendWebhook({ agent, rules }, { ...MESSAGE, url })
    const { user, system } = process.threadCpuUsage(before)
    expect(result.ok).toBe(ok)
    if (!ok) expect(result.error).toMatch(/^(The response was too long|The request could not be sent)\.$/)
    // Buffers of both sockets count as well.
    expect(receiver.sent()).toBeLessThan(16 * MEBIBYTE)
    expect((user + system) / 1_000).toBeLessThan(1_000)
    expect(result.durationMs).toBeLessThan(WEBHOOK_TIMEOUT_MS)
  })

  test.each([
    ['two lengths', `${OK}content-length: 1\r\ncontent-length: 2\r\n\r\na`],
    ['a length below zero', `${OK}content-length: -1\r\n\r\n`],
    ['a length and chunks', `${OK}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['a name with a blank', `${OK}x y: z\r\n\r\n`],
    ['a NUL in a value', `${OK}x: a\0b\r\n\r\n`],
    ['a status below the first', 'HTTP/1.1 000 None\r\n\r\n'],
    ['no status', 'HTTP/1.1 \r\n\r\n'],
    ['another protocol', 'ICY 200 OK\r\n\r\n'],
    ['a switch to another protocol', 'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
    ['nothing', ''],
  ])('a response with %s is a failure in a sentence', async (_, text) => {
    const url = await hostile((socket) => socket.end(text))
    const result = await sendWebhook({ agent, rules }, { ...MESSAGE, url })
    expect(result).toMatchObject({ ok: false, statusCode: null, error: expect.stringMatching(/^[A-Z][\w ,]+\.$/) })
  })

  test('a response, a body and interim responses that drip end with the time of the attempt', {
    timeout: 60_000,
  }, async () => {
    const drip = (first: string, part: string) => (socket: Socket) => {
      socket.write(first)
      const timer = setInterval(() => socket.write(part), 100)
      socket.on('close', () => clearInterval(timer))
    }
    const kinds = [
      drip(`${OK}x-slow: `, 'a'),
      drip(`${OK}content-length: 4000\r\n\r\n`, 'a'),
      drip('', 'HTTP/1.1 102 Processing\r\n\r\n'),
    ]
    const url = await hostile((socket) => kinds.shift()!(socket))
    const results = await Promise.all(kinds.map(() => sendWebhook({ agent, rules }, { ...MESSAGE, url })))
    expect(results.map(({ ok }) => ok).sort()).toEqual([false, false, true])
    for (const { durationMs, error, ok } of results) {
      expect(durationMs).toBeLessThan(WEBHOOK_TIMEOUT_MS + 5_000)
      if (!ok) expect(error).toBe('There was no response within 10 seconds.')
    }
  })
})

test.each([
  ['a body', `${OK}\r\n`, 'a'],
  ['chunks', CHUNKED, '1\r\na\r\n'],
  ['headers', OK, 'x-a: b\r\n'],
  ['an extension of a chunk', `${CHUNKED}1;`, 'a'],
  ['trailers', `${CHUNKED}1\r\na\r\n0\r\n`, 'x-a: b\r\n'],
  ['interim responses', '', 'HTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\n'],
])(
  'a hostile identity provider whose response has no end ends early: %s',
  { timeout: 120_000 },
  async (_, first, part) => {
    const provider = endless(first, part)
    const url = await hostile(provider.respond)
    const fetch = createGuardedFetch(agent, { timeoutMs: 5_000, bytesMax: 65_536 })
    const began = performance.now()
    await expect(fetch(url, {})).rejects.toThrow()
    expect(provider.sent()).toBeLessThan(16 * MEBIBYTE)
    expect(performance.now() - began).toBeLessThan(5_000)
  },
)

test('what arrived for earlier requests on a connection does not count', async () => {
  let connections = 0
  const http = createHttpServer((_, response) => response.end('a'.repeat(200_000))).on('connection', () => {
    connections += 1
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  server = http
  const { port } = http.address() as AddressInfo
  const fetch = createGuardedFetch(agent, { timeoutMs: 5_000, bytesMax: 262_144 })
  for (let at = 0; at < 20; at += 1) {
    const response = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: `turn ${at}` })
    expect((await response.text()).length).toBe(200_000)
  }
  // The pool may open a second one before it knows that the first is free.
  expect(connections).toBeLessThanOrEqual(2)
  http.closeAllConnections()
})
