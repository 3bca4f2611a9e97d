import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  type TimestampAuthority,
  type TimestampFault,
  timestampAuthority,
} from '../../../testing/stand-ins/timestamp-authority.ts'
import { systemRandomSource, TIMESTAMP_RESPONSE_BYTES_MAX } from '../../kernel/index.ts'
import { timestampAnchors, verifyTimestamp } from './timestamp.ts'

let authority: TimestampAuthority
beforeAll(async () => {
  authority = await timestampAuthority()
})
afterAll(() => authority?.close())
afterEach(() => {
  authority.fault = 'none'
})

const stamp = (text: string) => timestampAnchors(authority.url, systemRandomSource).publish({ id: 1, text, line: text })

test('an authority stamps an anchor, and the token proves its text and time', async () => {
  for (let request = 0; request < 20; request += 1) {
    const token = await stamp('an anchor')
    expect(await verifyTimestamp(token!, 'an anchor')).toEqual(new Date('2026-11-22T10:00:00Z'))
  }
})

test('a token does not prove another text, and a changed token proves nothing', async () => {
  const token = (await stamp('an anchor'))!
  await expect(verifyTimestamp(token, 'another anchor')).rejects.toThrow('covers something else')
  const changed = Buffer.from(token)
  changed[changed.length - 1]! ^= 1
  await expect(verifyTimestamp(changed, 'an anchor')).rejects.toThrow()
  await expect(verifyTimestamp(Buffer.from('not a token'), 'an anchor')).rejects.toThrow()
})

test.each<[TimestampFault, string]>([
  ['unavailable', 'status 503'],
  ['refuses', 'refused: status 2'],
  ['other text', 'covers something else'],
  ['other nonce', 'another request'],
  ['wrong signature', 'signature'],
])('a response that is %s is not taken', async (fault, message) => {
  authority.fault = fault
  await expect(stamp('an anchor')).rejects.toThrow(message)
})

/** Has an anchor stamped by an authority that responds as it likes. Returns the error and the time of the processor. */
async function stampBy(respond: (response: ServerResponse) => void) {
  const server = createServer((request, response) => {
    response.on('error', () => {})
    request.resume().on('end', () => respond(response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const before = process.threadCpuUsage()
  const error = await timestampAnchors(url, systemRandomSource)
    .publish({ id: 1, text: 'an anchor', line: '' })
    .then(() => undefined)
    .catch((thrown: Error) => thrown)
  const { user, system } = process.threadCpuUsage(before)
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  return { error, ms: (user + system) / 1_000 }
}

test('a response without end ends at its limit', async () => {
  let sent = 0
  const { error } = await stampBy((response) => {
    const write = () => {
      while (!response.destroyed) {
        sent += 65_536
        if (!response.write(Buffer.alloc(65_536, 0x30))) return response.once('drain', write)
      }
      return response
    }
    write()
  })
  expect(error?.message).toContain('too long')
  expect(sent).toBeGreaterThan(TIMESTAMP_RESPONSE_BYTES_MAX)
  expect(sent).toBeLessThan(8 * 1_048_576)
})

test.each([
  ['nested without lengths', Buffer.alloc(TIMESTAMP_RESPONSE_BYTES_MAX, Buffer.from([0x30, 0x80]))],
  [
    'of a hundred thousand values',
    Buffer.concat([Buffer.from([0x30, 0x83, 3, 0, 0]), Buffer.alloc(196_608, '\x05\0')]),
  ],
  [
    'with an endless number',
    Buffer.concat([Buffer.from([0x30, 0x83, 3, 0, 5, 2, 0x83, 3, 0, 0]), Buffer.alloc(196_608, 1)]),
  ],
])('a response %s is no time stamp, at a bounded cost', async (_, bytes) => {
  const { error, ms } = await stampBy((response) => response.end(bytes))
  expect(error).toBeDefined()
  expect(ms).toBeLessThan(200)
})

test('a redirect is not followed', async () => {
  const { error } = await stampBy((response) => response.writeHead(307, { location: authority.url }).end())
  expect(error?.message).toBe('fetch failed')
})
