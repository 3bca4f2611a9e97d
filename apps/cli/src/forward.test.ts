import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createWebhooks } from '../../../packages/sdk/src/index.ts'
import { derivedSecret, forward, parseTarget, parseTargets, sign } from './forward.ts'
import { printable } from './table.ts'

const EVENT = {
  id: 4711,
  event: 'operation.completed',
  timestamp: '2026-01-01T00:00:00.000Z',
  data: { operationId: 12 },
}
const SECRET = derivedSecret('wk_live_0123456789abcdef')

let stop = () => {}
afterEach(() => stop())

interface Received {
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A receiver over real HTTP. */
async function receiver(respond: (response: ServerResponse) => void) {
  const received: Received[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (part: string) => {
      body += part
    })
    request.on('end', () => {
      received.push({ url: request.url, headers: request.headers, body })
      respond(response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

test('a forwarded event has the body, headers and signature of a delivery, and keeps the query', async () => {
  const { received, url } = await receiver((response) => response.writeHead(202).end('thanks'))
  const delivery = await forward(EVENT, `${url}/weir?tenant=7&x=a%20b`, SECRET)
  expect(delivery).toMatchObject({ status: 202, body: 'thanks', error: undefined, eventId: 4711 })
  const [{ headers, body, url: path }] = received as [Received]
  expect(path).toBe('/weir?tenant=7&x=a%20b')
  expect(headers['webhook-id']).toBe('evt_4711')
  const { event, data } = await createWebhooks(SECRET).unwrap(body, headers)
  expect({ event, data }).toEqual({ event: EVENT.event, data: EVENT.data })
  expect(body).toBe('{"event":"operation.completed","timestamp":"2026-01-01T00:00:00.000Z","data":{"operationId":12}}')
  await expect(createWebhooks(derivedSecret('another key')).unwrap(body, headers)).rejects.toThrow('signature')
})

test('a receiver that redirects is not followed, and one that sends without end is cut off', async () => {
  const elsewhere = await receiver((response) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end())
  expect(await forward(EVENT, elsewhere.url, SECRET)).toMatchObject({ status: 307, error: undefined })
  stop()
  const endless = await receiver((response) => {
    const write = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
      response.once('drain', write)
    }
    response.on('error', () => {})
    write()
  })
  const { body } = await forward(EVENT, endless.url, SECRET)
  expect(body).toHaveLength(500)
})

test('a receiver whose response breaks off has taken the event, as the service counts it', async () => {
  const { url } = await receiver((response) => {
    response.writeHead(200, { 'content-length': 100 })
    response.write('tha', () => response.destroy())
  })
  expect(await forward(EVENT, url, SECRET)).toMatchObject({ status: 200, error: undefined })
})

test('a receiver that is down is a failed delivery with its reason, and no error', async () => {
  const { url } = await receiver(() => {})
  stop()
  expect(await forward(EVENT, url, SECRET)).toMatchObject({
    status: undefined,
    error: 'ECONNREFUSED',
  })
})

test('a target is a URL, or events and a URL', () => {
  expect(parseTarget('http://localhost:8080/a?b=c').url).toBe('http://localhost:8080/a?b=c')
  const some = parseTarget('operation.*,break.*=https://example.com/?a=b')
  expect(some.url).toBe('https://example.com/?a=b')
  expect(['operation.x', 'break.x', 'allocation.x'].map(some.isWanted)).toEqual([true, true, false])
  for (const wrong of ['example.com', 'file:///etc/passwd', 'http://user:password@example.com/', ''])
    expect(() => parseTarget(wrong)).toThrow('is not an http address')
})

test('several targets may share an argument, each with events of its own', () => {
  const urlsOf = (text: string) => parseTargets(text).map(({ url }) => url)
  const both = 'operation.*,break.*=http://a.example/?x=1,2, allocation.*,customer.approved=http://b.example/'
  const [first, second] = parseTargets(both)
  expect(urlsOf(both)).toEqual(['http://a.example/?x=1,2', 'http://b.example/'])
  const events = ['operation.x', 'break.x', 'allocation.x', 'customer.approved']
  expect(events.map(first!.isWanted)).toEqual([true, true, false, false])
  expect(events.map(second!.isWanted)).toEqual([false, false, true, true])
  expect(urlsOf('http://a.example,https://b.example/,http://c.example')).toHaveLength(3)
  expect(() => parseTargets('http://a.example,b.example=http://')).toThrow('is not an http address')
})

test('a secret that cannot sign is refused, and no message repeats it', () => {
  for (const wrong of ['whsec_short', 'hunter2', `whsec_${'?'.repeat(44)}`])
    expect(() => sign(wrong, { id: 'evt_1', body: '', at: 0 })).toThrow(
      /^WEBHOOK_SECRET must be `whsec_` and 24 to 64 bytes in base64$/,
    )
})

test('text of a receiver cannot move the cursor or hide what follows', () => {
  expect(printable('ok\u001b[2J\r\nforged line\u202e')).toBe('ok [2J forged line')
  expect(printable('x'.repeat(500))).toHaveLength(201)
})
