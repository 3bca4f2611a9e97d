import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RampClient } from '../../../../testing/ramp/ramp-client.ts'
import { type RampFixture, startRampFixture } from '../../../../testing/ramp/ramp-fixture.ts'
import { rampServer } from '../../../../testing/surfaces/ramp-server.ts'
import { createDisabledProvider } from '../../../ramp/index.ts'
import type { App } from '../../http/index.ts'

let fixture: RampFixture
let client: RampClient
let live: App

beforeAll(async () => {
  fixture = await startRampFixture()
  client = await fixture.organization()
  live = await rampServer({ ...fixture.parts, provider: createDisabledProvider() })
})
afterAll(async () => {
  await live?.close()
  await fixture?.close()
})

const ask = async (method: 'GET' | 'POST', url: string, payload?: object) => {
  const headers = { 'x-api-key': String(client.organizationId) }
  const answer = await live.inject({ method, url, headers, ...(payload && { payload }) })
  return { status: answer.statusCode, body: answer.json() as Record<string, unknown> }
}

test.each([
  '/v1/ramp/org/simulate-transaction',
  '/v1/ramp/org/simulate-offramp-transaction',
  '/v1/ramp/recipients/1/simulate-transaction',
  '/v1/ramp/recipients/1/simulate-offramp-transaction',
  '/v1/ramp/org/kyb/simulate-approve',
  '/v1/ramp/org/kyb/simulate-reject',
  '/v1/ramp/recipients/1/kyb/simulate-approve',
  '/v1/ramp/recipients/1/kyb/simulate-reject',
  '/v1/ramp/recipients/me/simulate-transaction',
  '/v1/ramp/recipients/me/kyb/simulate-approve',
])('in live POST %s is rejected, whatever the body', async (url) => {
  for (const body of [{}, { usd_amount: 'much', step_delay_ms: -1 }]) {
    expect(await ask('POST', url, body)).toMatchObject({ status: 403, body: { code: 'SANDBOX_ONLY' } })
  }
})

test('without a provider existing objects are readable, and new ones are rejected', async () => {
  expect(await ask('GET', '/v1/ramp/org/kyb/status')).toMatchObject({ status: 200, body: { kybStatus: 'approved' } })
  expect(await ask('POST', '/v1/ramp/recipients', { name: 'Ada' })).toMatchObject({
    status: 503,
    body: { code: 'RAMP_UNAVAILABLE' },
  })
})
