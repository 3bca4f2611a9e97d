import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RampFixture, startRampFixture } from '../../../../testing/ramp/ramp-fixture.ts'
import { rampServer } from '../../../../testing/surfaces/ramp-server.ts'
import type { App } from '../../http/index.ts'

/** Account numbers that are unmistakable wherever they appear. */
const CANARY = '48151623421'
const BANK = {
  routing_number: '021000021',
  account_type: 'checking',
  account_holder_name: 'Basalt Payments',
  bank_name: 'First Bank',
}

let fixture: RampFixture
let app: App
const logged: string[] = []

beforeAll(async () => {
  fixture = await startRampFixture()
  const log = pino({ level: 'trace' }, { write: (line: string) => logged.push(line) })
  app = await rampServer(fixture.parts, log)
})
afterAll(async () => {
  await app?.close()
  await fixture?.close()
})

test('no account number is readable in the log, the metrics or any table, whatever request sent it or failed', async () => {
  const client = await fixture.organization()
  const headers = { 'x-api-key': String(client.organizationId) }
  const post = (url: string, payload: object, once: string) =>
    app.inject({ method: 'POST', url, payload, headers: { ...headers, 'idempotency-key': once } })
  const wallet = { org_wallet_id: client.wallet.walletId }

  const made = await post('/v1/ramp/org/onramp-accounts', wallet, 'on')
  expect(made.statusCode).toBe(201)
  const virtual = (made.json() as { account_number: string }).account_number
  expect((await post('/v1/ramp/org/onramp-accounts', wallet, 'on')).json()).toEqual(made.json())
  const details = { ...BANK, account_number: CANARY }
  const payout = await post('/v1/ramp/org/offramp-accounts', { ...wallet, bank_details: details }, 'off')
  expect(payout.statusCode).toBe(201)
  expect(payout.body).not.toContain(CANARY)
  const refused = [
    { ...wallet, bank_details: { ...details, routing_number: '021000022' } },
    { org_wallet_id: 2 ** 40, bank_details: details },
    { ...wallet, bank_details: { ...details, account_number: Number(CANARY) } },
    { ...wallet, bank_details: { ...details, account_number: `${CANARY}x` } },
  ]
  for (const [index, body] of refused.entries()) {
    const answer = await post('/v1/ramp/org/offramp-accounts', body, `refused ${index}`)
    expect(answer.statusCode, answer.body).toBeGreaterThanOrEqual(400)
    expect(answer.body).not.toContain(CANARY)
  }
  for (const direction of ['onramp', 'offramp'] as const) await client.simulate(direction)
  await fixture.settle()
  for (const url of [
    '/v1/ramp/org/kyb/status',
    '/v1/ramp/org/offramp-status',
    '/v1/ramp/transactions',
    '/v1/ramp/transactions/export',
  ]) {
    const { body } = await app.inject({ url, headers })
    expect([CANARY, virtual].filter((number) => body.includes(number))).toEqual([])
  }

  const metrics = (await app.inject({ url: '/metrics' })).body
  expect(logged.length).toBeGreaterThan(5)
  const places = new Map([['the log', logged.join('')], ['the metrics', metrics], ...(await tables())])
  for (const [place, text] of places) {
    for (const number of [CANARY, virtual]) {
      const spelled = [number, Buffer.from(number).toString('base64').slice(0, 12), Buffer.from(number).toString('hex')]
      expect(
        spelled.filter((word) => text.includes(word)),
        place,
      ).toEqual([])
    }
  }
  // The search does find text that is there.
  expect(places.get('ramp_accounts')).toContain(virtual.slice(-4))
})

/** Every table as text, bytes in hex. */
async function tables(): Promise<[string, string][]> {
  const { db } = fixture.parts
  const { rows } = await sql<{ name: string }>`
    select table_schema || '.' || table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
  `.execute(db)
  return Promise.all(
    rows.map(async ({ name }): Promise<[string, string]> => {
      const found = await sql<{ text: string }>`select t::text as text from ${sql.raw(name)} t`.execute(db)
      return [name.replace('public.', ''), found.rows.map(({ text }) => text).join('\n')]
    }),
  )
}
