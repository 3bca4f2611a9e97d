// What the partner's API and messages may contain without stopping anything: they are signed, and still not trusted.

import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { startBridgeFixture } from '../../../testing/stand-ins/bridge/bridge-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { BRIDGE_PAGE_SIZE, BRIDGE_PAGES_MAX, MAX_BODY_BYTES, silentLog } from '../../kernel/index.ts'
import { applyProviderMessage } from '../events/apply-provider-event.ts'
import { createBridgeClient } from './client.ts'

const fixture = useFixture(startBridgeFixture)
const paid = { amount: '25.00', subtotal_amount: '25.00' }
let stop = () => {}
afterEach(() => stop())

/** Texts that PostgreSQL cannot store, cannot index, or that no partner sends. */
const ODD_TEXTS: Readonly<Record<string, string>> = {
  'a NUL': 'a\u0000b',
  'no end': 'a'.repeat(50_000),
  'half a character': 'a\ud800',
  'a name of every object': '__proto__',
}

test.each(Object.keys(ODD_TEXTS))('%s in any field of a message stops neither it nor later messages', async (kind) => {
  const text = ODD_TEXTS[kind]!
  const client = await fixture.organization()
  await client.onramp()
  await client.offramp()
  const account = fixture.bridge.virtualAccounts.at(0)!
  const address = fixture.bridge.liquidationAddresses.at(0)!
  const before = fixture.bridge.messages.length
  for (const [at, type] of ['funds_received', 'payment_submitted', 'payment_processed', 'refunded'].entries()) {
    const source = { payment_rail: text, trace_number: text, imad: text }
    const more = { ...paid, source, destination_tx_hash: text, developer_fee_amount: text }
    fixture.bridge.advanceDeposit(account.id, at === 3 ? text : `odd ${kind}`, type, more)
  }
  const receipt = { initial_amount: text, outgoing_amount: text, exchange_rate: text, developer_fee: text }
  for (const state of ['funds_received', 'payment_processed', 'refunded', text]) {
    fixture.bridge.drain(address.id, `odd ${kind}`, state, {
      amount: '7.00',
      deposit_tx_hash: text,
      refund_tx_hash: text,
    })
  }
  fixture.bridge.drain(address.id, text, 'funds_received', { amount: '7.00', receipt })
  const messages = fixture.bridge.messages.slice(before)
  for (const message of messages) {
    await fixture.deliver(message)
    for (const field of ['event_id', 'event_category', 'event_object_id', 'event_type', 'event_created_at'])
      await fixture.deliver({ ...message, event_id: `${message.event_id} ${field}`, [field]: text })
  }
  await fixture.poll()
  fixture.clock.advance(1_000)
  fixture.bridge.advanceDeposit(account.id, `usual after ${kind}`, 'funds_received', {
    ...paid,
    source: { trace_number: `usual after ${kind}` },
  })
  await fixture.poll()
  const found = await client.transactions()
  expect(found.map(({ paymentReference }) => paymentReference)).toContain(`usual after ${kind}`)
  for (const one of found) expect(JSON.stringify(one, (_, value) => `${value}`).length).toBeLessThan(10_000)
})

test('amounts and times beyond any payment are stored as ignored', async () => {
  const client = await fixture.organization()
  await client.onramp()
  const account = fixture.bridge.virtualAccounts.at(0)!
  for (const amount of [
    '9'.repeat(30),
    '9'.repeat(1_000),
    '1e400',
    '0x10',
    '٣',
    '1,000',
    ' 1',
    '1'.padStart(60, '0'),
  ]) {
    await fixture.deliver(fixture.bridge.advanceDeposit(account.id, `amount ${amount}`, 'funds_received', { amount }))
  }
  for (const created_at of ['+275760-09-13T00:00:00Z', '9999-12-31T23:59:59Z', 'x', '-000001-01-01T00:00:00Z']) {
    const message = fixture.bridge.advanceDeposit(account.id, `at ${created_at}`, 'funds_received', paid)
    await fixture.deliver({ ...message, event_object: { ...message.event_object, created_at } })
  }
  expect(await client.transactions()).toEqual([])
})

/** Between a few times, which depends on the machine, and what work takes that grows with the square of the length. */
const COST_RATIO_MAX = 50

test('the largest message of any shape costs a bounded multiple of parsing a MiB of objects', {
  timeout: 60_000,
}, async () => {
  const around = { event_id: 'costly', event_category: 'virtual_account.activity', event_created_at: '2026-03-01' }
  const objects = `[${'{},'.repeat(MAX_BODY_BYTES / 3 - 2)}{}]`
  const shapes: [string, string][] = [
    ['brackets', '['.repeat(MAX_BODY_BYTES)],
    ['objects', objects],
    ['nested objects', `${'{"a":'.repeat(MAX_BODY_BYTES / 6)}0${'}'.repeat(MAX_BODY_BYTES / 6)}`],
    ['digits', JSON.stringify({ ...around, event_object: { amount: '9'.repeat(MAX_BODY_BYTES - 200) } })],
    ['a time', JSON.stringify({ ...around, event_created_at: '2026-'.repeat(MAX_BODY_BYTES / 5 - 100) })],
  ]
  /** Of the processor; a busy machine slows both down. */
  const costOf = async (work: () => unknown): Promise<number> => {
    const before = process.threadCpuUsage()
    await work()
    const { user, system } = process.threadCpuUsage(before)
    return user + system
  }
  for (const [shape, text] of shapes) {
    const { headers, body } = fixture.bridge.sign(Buffer.from(text))
    let ratio = Number.POSITIVE_INFINITY
    for (let tries = 0; tries < 5 && ratio > COST_RATIO_MAX; tries += 1) {
      const parsing = await costOf(() => JSON.parse(objects))
      const cost = await costOf(() => applyProviderMessage(fixture.parts, { headers, body }))
      ratio = Math.min(ratio, cost / parsing)
    }
    expect(ratio, shape).toBeLessThan(COST_RATIO_MAX)
  }
})

async function hostile(respond: (url: URL, response: ServerResponse) => void) {
  const server = createServer((request, response) => {
    response.on('error', () => {})
    respond(new URL(request.url ?? '/', 'http://partner'), response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stop = () => {
    server.closeAllConnections()
    server.close()
  }
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return createBridgeClient({ baseUrl, apiKey: 'key', log: silentLog, timeoutMs: 5_000 })
}

test('a list without an end is given up', { timeout: 60_000 }, async () => {
  let pages = 0
  const client = await hostile((_, response) => {
    pages += 1
    response.end(JSON.stringify({ data: Array.from({ length: 100 }, (__, at) => ({ id: `${pages} ${at}` })) }))
  })
  const read = async () => {
    for await (const page of client.pages('/endless')) expect(page).toHaveLength(100)
  }
  await expect(read()).rejects.toMatchObject({ code: 'RAMP_UNAVAILABLE' })
  expect(pages).toBe(BRIDGE_PAGES_MAX)
})

test('a page with more entries than were requested is read in pages', async () => {
  const entries = Array.from({ length: 250 }, (_, at) => ({ id: `${at}` }))
  const client = await hostile((url, response) => {
    const after = url.searchParams.get('starting_after')
    response.end(JSON.stringify({ data: entries.slice(after === null ? 0 : Number(after) + 1) }))
  })
  const read: unknown[] = []
  for await (const page of client.pages('/long')) {
    expect(page.length).toBeLessThanOrEqual(BRIDGE_PAGE_SIZE)
    read.push(...page)
  }
  expect(read).toEqual(entries)
})

test.each([
  ['a body without an end', '', '['],
  ['a text without an end', '{"id":"', 'a'],
])('%s is no response', { timeout: 60_000 }, async (_, first, part) => {
  let sent = 0
  const bytes = Buffer.alloc(65_536, part)
  const client = await hostile((__, response) => {
    response.write(first)
    const write = () => {
      while (!response.destroyed) {
        sent += bytes.length
        if (!response.write(bytes)) return response.once('drain', write)
      }
      return response
    }
    write()
  })
  await expect(client.post('/customers', {}, 'key')).rejects.toMatchObject({ code: 'RAMP_UNAVAILABLE' })
  expect(sent).toBeLessThan(32 * 1_048_576)
})
