import { createHmac } from 'node:crypto'
import { expect, expectTypeOf, test } from 'vitest'
import { createWebhooks, WebhookSignatureError } from './webhooks.ts'

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const OTHER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
const NOW = 1_800_000_000
const body = JSON.stringify({
  event: 'operation.completed',
  timestamp: '2027-01-15T08:00:00.000Z',
  data: { operationId: 12, status: 'COMPLETED', amount: '1.00' },
})

/** Signed as Standard Webhooks say, apart from the code under test. */
function headersOf(text: string, { secret = SECRET, id = 'evt_1', at = NOW } = {}) {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${at}.${text}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': `v1,${signature}` }
}
const now = { now: () => NOW * 1_000 }
const webhooks = createWebhooks(SECRET)

test('a signed request is its event, with the id of its message', async () => {
  const event = await webhooks.unwrap(body, headersOf(body), now)
  expect(event).toMatchObject({ id: 'evt_1', event: 'operation.completed', data: { operationId: 12 } })
  if (event.event === 'operation.completed') expectTypeOf(event.data.operationId).toEqualTypeOf<number>()
  if (event.event === 'customer.approved') expectTypeOf(event.data.customer_id).toEqualTypeOf<number | null>()
})

test('bytes, Headers and the lists of Node are accepted', async () => {
  const headers = headersOf(body)
  const bytes = new TextEncoder().encode(body)
  expect((await webhooks.unwrap(bytes, new Headers(headers), now)).id).toBe('evt_1')
  expect((await webhooks.unwrap(body, { ...headers, 'webhook-id': ['evt_1'] }, now)).id).toBe('evt_1')
})

test('names of headers are found in any case, and headers of another realm as well', async () => {
  const headers = headersOf(body)
  const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))
  expect((await webhooks.unwrap(body, named, now)).id).toBe('evt_1')
  const foreign = { get: (name: string) => new Headers(headers).get(name) } as unknown as Headers
  expect((await webhooks.unwrap(body, foreign, now)).id).toBe('evt_1')
})

test('one of several signatures is enough, and one of several secrets', async () => {
  const headers = headersOf(body)
  const both = `v1a,AAAA v1,!! ${headersOf(body, { secret: OTHER })['webhook-signature']} ${headers['webhook-signature']}`
  expect((await webhooks.unwrap(body, { ...headers, 'webhook-signature': both }, now)).id).toBe('evt_1')
  expect((await createWebhooks(OTHER, SECRET).unwrap(body, headers, now)).id).toBe('evt_1')
})

const headers = headersOf(body)
test.each([
  ['another secret', body, headersOf(body, { secret: OTHER })],
  ['another body', body.replace('1.00', '9.00'), headers],
  ['another id', body, { ...headers, 'webhook-id': 'evt_2' }],
  ['another time', body, { ...headers, 'webhook-timestamp': String(NOW + 1) }],
  ['an old request', body, headersOf(body, { at: NOW - 301 })],
  ['a request from the future', body, headersOf(body, { at: NOW + 301 })],
  ['a time that is no number', body, { ...headers, 'webhook-timestamp': 'now' }],
  ['no signature', body, { ...headers, 'webhook-signature': '' }],
  [
    'a signature of another version',
    body,
    { ...headers, 'webhook-signature': headers['webhook-signature'].replace('v1', 'v2') },
  ],
])('%s is refused', async (_name, text, given) => {
  const error = await webhooks.unwrap(text, given, now).catch((caught) => caught)
  expect(error).toBeInstanceOf(WebhookSignatureError)
  expect(error.requestId, 'the client sent no request').toBe('')
})

test('text that is not a secret is refused at once', async () => {
  expect(() => createWebhooks()).toThrow(TypeError)
  await expect(createWebhooks('whsec_!').unwrap(body, headers, now)).rejects.toBeInstanceOf(TypeError)
})
