import { afterEach, expect, test } from 'vitest'
import { type FakeServer, type Reply, startFakeServer } from '../../testing/fake-server.ts'
import { createService } from './client.ts'
import { ServiceError } from './service-error.ts'

let server: FakeServer | undefined
afterEach(() => server?.close())

async function failure(reply: Reply): Promise<ServiceError> {
  server = await startFakeServer(() => reply)
  const { pollActions } = createService({ url: server.url, apiKey: 'svc', leaseMs: 1_000 })
  const error = await pollActions(0, new AbortController().signal).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(ServiceError)
  return error as ServiceError
}
const limited = (seconds: string): Reply => ({
  status: 429,
  headers: { 'retry-after': seconds },
  body: JSON.stringify({ code: 'RATE_LIMIT_EXCEEDED', message: 'slow down' }),
})

test.each([
  ['7', 7_000],
  ['60', 60_000],
  ['3600', 60_000],
  ['9999999', 60_000],
  ['soon', undefined],
  ['-5', undefined],
])('a Retry-After of %s seconds is obeyed for at most a minute', async (seconds, waitMs) => {
  expect(await failure(limited(seconds))).toMatchObject({ status: 429, retryAfterMs: waitMs })
})

test.each([
  ['a page', '<h1>maintenance</h1>'],
  ['JSON of another program', '{"error":"maintenance"}'],
  ['a list', '[]'],
])('%s of a proxy decides neither the wait nor whether a refusal is final', async (_which, body) => {
  const error = await failure({ status: 404, headers: { 'retry-after': '3600' }, body })
  expect(error).toMatchObject({ status: 0, code: 'UNREADABLE', retryAfterMs: undefined, isFinal: false })
})
