import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { webhookServer } from './webhook-server.ts'

const KEY = Buffer.from('a secret of this test')
const BODY = '{"event":"operation.completed","timestamp":"2026-01-01T00:00:00.000Z","data":{"operationId":7}}'

const headersOf = (body: string) => {
  const timestamp = `${Math.floor(Date.now() / 1_000)}`
  const signature = createHmac('sha256', KEY).update(`evt_1.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': 'evt_1', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}

test('a webhook is stored before it is acknowledged, a forged one never is, and one that was not stored comes again', async () => {
  const stored: string[] = []
  let isBroken = false
  const server = webhookServer(`whsec_${KEY.toString('base64')}`, async ({ id }) => {
    if (isBroken) throw new Error('the database is away')
    stored.push(id)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const send = async (body: string, headers: Record<string, string>) =>
    (await fetch(url, { method: 'POST', body, headers })).status
  try {
    expect(await send(BODY, headersOf(BODY))).toBe(204)
    expect(stored).toEqual(['evt_1'])
    expect(await send(BODY.replace('7', '8'), headersOf(BODY))).toBe(400)
    expect(await send(BODY, {})).toBe(400)
    expect(stored).toEqual(['evt_1'])
    isBroken = true
    expect(await send(BODY, headersOf(BODY))).toBe(500)
  } finally {
    server.close()
    server.closeAllConnections()
  }
})

test('a body that never ends is refused after a megabyte, before its signature is checked', async () => {
  const server = webhookServer(`whsec_${KEY.toString('base64')}`, () => {
    throw new Error('nothing may be stored')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  try {
    const endless = httpRequest({ host: '127.0.0.1', port, method: 'POST' })
    endless.on('error', () => undefined)
    const answered = once(endless, 'response') as Promise<[IncomingMessage]>
    let sent = 0
    for (; sent <= 1_048_576; sent += 65_536) endless.write(Buffer.alloc(65_536))
    const [response] = await answered
    expect(response.statusCode).toBe(413)
    endless.destroy()
    const large = BODY.padEnd(1_048_576)
    const headers = headersOf(large)
    const kept = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: large, headers })
    expect(kept.status, 'a genuine one of this size is read').toBe(500)
  } finally {
    server.close()
    server.closeAllConnections()
  }
})
