import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  type TimestampAuthority,
  type TimestampFault,
  timestampAuthority,
} from '../../../testing/timestamp-authority.ts'
import { systemRandomSource } from '../../kernel/index.ts'
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
  await expect(verifyTimestamp(token, 'another anchor')).rejects.toThrow('over something else')
  const changed = Buffer.from(token)
  changed[changed.length - 1]! ^= 1
  await expect(verifyTimestamp(changed, 'an anchor')).rejects.toThrow()
  await expect(verifyTimestamp(Buffer.from('not a token'), 'an anchor')).rejects.toThrow()
})

test.each<[TimestampFault, string]>([
  ['unavailable', 'status 503'],
  ['refuses', 'refused: status 2'],
  ['other text', 'over something else'],
  ['other nonce', 'another request'],
  ['wrong signature', 'signature'],
])('a response that is %s is not taken', async (fault, message) => {
  authority.fault = fault
  await expect(stamp('an anchor')).rejects.toThrow(message)
})
