// Also tested in: chains/rpc/rpc.test.ts (failover, and what counts as no response).

import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { createEndpoint, EndpointError } from './endpoint.ts'

const MEBIBYTE = 1_048_576
const REQUESTS = [{ method: 'eth_chainId', params: [] }]
let stop = () => {}
afterEach(() => stop())

/** An endpoint whose node responds as it likes, over real HTTP. */
async function hostile(respond: (response: ServerResponse) => void) {
  const server = createServer((request, response) => {
    request.resume().on('end', () => respond(response))
    response.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stop = () => {
    server.closeAllConnections()
    server.close()
  }
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return createEndpoint({ url, fetch })
}
const json = (text: string) => (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(text)

/** Writes `part` again and again until the caller hangs up. Returns how much was taken. */
function endless(part: Buffer) {
  let sent = 0
  const write = (response: ServerResponse) => {
    while (!response.destroyed) {
      sent += part.length
      if (!response.write(part)) {
        response.once('drain', () => write(response))
        return
      }
    }
  }
  return { write, sent: () => sent }
}

describe('a hostile node counts as no response, at a bounded cost', () => {
  test.each([
    ['opening brackets', '['],
    ['nested objects', '{"a":'],
    ['empty objects', '{},'],
    ['empty lists', '[],'],
    ['numbers', '0,'],
  ])('an endless body of %s', { timeout: 60_000 }, async (_, filler) => {
    const body = endless(Buffer.from(filler.repeat(20_000)))
    const endpoint = await hostile((response) => {
      response.writeHead(200)
      response.write('[')
      body.write(response)
    })
    const before = process.threadCpuUsage()
    await expect(endpoint.send(REQUESTS, 30_000)).rejects.toThrow(EndpointError)
    const { user, system } = process.threadCpuUsage(before)
    expect(body.sent()).toBeLessThan(16 * MEBIBYTE)
    // The server that sends it runs on the same thread.
    expect((user + system) / 1_000).toBeLessThan(200 * 16)
  })

  test('an endless text ends at the limit of bytes', { timeout: 60_000 }, async () => {
    const body = endless(Buffer.alloc(256 * 1_024, 'a'))
    const endpoint = await hostile((response) => {
      response.writeHead(200)
      response.write('["')
      body.write(response)
    })
    await expect(endpoint.send(REQUESTS, 30_000)).rejects.toThrow('larger than 67108864 bytes')
    expect(body.sent()).toBeLessThan(80 * MEBIBYTE)
  })

  test('a gzip bomb ends at the limits of what it unpacks to', { timeout: 60_000 }, async () => {
    const bomb = gzipSync(Buffer.alloc(128 * MEBIBYTE, '['))
    const endpoint = await hostile((response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb))
    await expect(endpoint.send(REQUESTS, 30_000)).rejects.toThrow('nested deeper than 128 levels')
  })

  test.each([
    ['nothing', '[null]'],
    ['numbers', '[1,2]'],
    ['texts', '["a"]'],
    ['another id', '[{"id":7,"result":"0x1"}]'],
    ['an id as text', '[{"id":"0","result":"0x1"}]'],
    ['half a text', '[{"id":0,"result":"0x1'],
    ['an object', '{"id":0,"result":"0x1"}'],
  ])('a batch of %s', async (_, text) => {
    const endpoint = await hostile(json(text))
    await expect(endpoint.send(REQUESTS, 5_000)).rejects.toThrow(EndpointError)
  })

  test('headers without an end, and a body that drips, end in time', async () => {
    const dripping = await hostile((response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write(' '), 10)
      response.on('close', () => clearInterval(timer))
    })
    await expect(dripping.send(REQUESTS, 200)).rejects.toThrow('did not respond within 200 ms')
    stop()
    const long = await hostile((response) => response.writeHead(200, { 'x-long': 'a'.repeat(100_000) }).end('[]'))
    await expect(long.send(REQUESTS, 5_000)).rejects.toThrow(EndpointError)
  })

  test.each([301, 302, 303, 307, 308])('a redirect with status %d is not followed', async (status) => {
    let reached = 0
    const inside = createServer((_, response) => {
      reached += 1
      json('[{"id":0,"result":"0x1"}]')(response)
    })
    await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve))
    const location = `http://127.0.0.1:${(inside.address() as AddressInfo).port}`
    const endpoint = await hostile((response) => response.writeHead(status, { location }).end())
    await expect(endpoint.send(REQUESTS, 5_000)).rejects.toThrow(`HTTP ${status}, a redirect, which is not followed`)
    inside.close()
    expect(reached).toBe(0)
  })

  test('an error of any shape becomes a number and a short text', async () => {
    const error = { code: { a: 1 }, message: 'm'.repeat(MEBIBYTE), data: '0x' }
    const endpoint = await hostile(json(JSON.stringify([{ id: 0, error }])))
    expect(await endpoint.send(REQUESTS, 5_000)).toEqual([
      { ok: false, error: { code: 0, message: 'm'.repeat(1_000), data: '0x' } },
    ])
  })
})

test('a large response of the usual shape is read whole', async () => {
  const result = Array.from({ length: 50_000 }, (_, at) => ({ address: `0x${'ab'.repeat(20)}`, at, text: '[{,"\\' }))
  const endpoint = await hostile(json(JSON.stringify([{ id: 0, result }])))
  expect(await endpoint.send(REQUESTS, 10_000)).toEqual([{ ok: true, result }])
})
