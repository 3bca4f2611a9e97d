import { once } from 'node:events'
import { type IncomingMessage, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openRampDatabase } from '../../../../testing/ramp-database.ts'
import { rampServer } from '../../../../testing/ramp-server.ts'
import { Failure, RAMP_EXPORT_BATCH, silentLog } from '../../../kernel/index.ts'

test('a key that is deleted while an export is read gets no further part of it', async () => {
  const fixture = await openRampDatabase()
  onTestFinished(fixture.close)
  const client = await fixture.organization()
  const account = await client.onramp()
  const payments = Array.from({ length: RAMP_EXPORT_BATCH + 1 }, (_, each) => ({
    organization_id: client.organizationId,
    direction: 'onramp' as const,
    customer_id: account.customerId,
    account_id: account.accountId,
    blockchain: 'base',
    source_asset: 'USD',
    destination_asset: 'USDC',
    token_decimals: 6,
    usd_cents: 100n,
    fee_cents: 0n,
    developer_fee_cents: 0n,
    token_amount: 1_000_000n,
    exchange_rate: '1',
    payment_rail: 'ach',
    payment_reference: `payment ${each}`,
    status: 'pending' as const,
    status_history: '[]',
    provider_reference: `provider ${each}`,
    provider_sequence: 1,
    created_at: fixture.clock.now(),
  }))
  await fixture.parts.db.insertInto('ramp_transactions').values(payments).execute()
  let checks = 0
  const app = await rampServer(fixture.parts, silentLog, () => {
    checks += 1
    if (checks > 2) throw new Failure('API_KEY_DISABLED')
  })
  onTestFinished(() => app.close())
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const headers = { 'x-api-key': String(client.organizationId) }
  const asked = send({ port, path: '/v1/ramp/transactions/export', headers }).end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  let text = ''
  response.on('data', (chunk) => {
    text += chunk
  })
  // Broken off, so that no part of an export looks whole.
  await expect(once(response, 'end')).rejects.toThrow('aborted')
  expect(text).toContain(`payment ${RAMP_EXPORT_BATCH}`)
  expect(text).not.toContain('payment 0,')
})
