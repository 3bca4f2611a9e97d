import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ManualClock } from '../../src/kernel/index.ts'
import { startFakeBridge } from '../../testing/stand-ins/bridge/fake-bridge.ts'
import type { Wallet } from '../clients/api-types.ts'
import { ANONYMOUS } from '../clients/client.ts'
import { expectIssues, expectRefusal } from '../clients/expect-refusal.ts'
import { registerOrganization } from '../clients/register-organization.ts'
import { type System, startSystem } from '../service/start-system.ts'

/** The service configured for Bridge as an operator would; Bridge is a stand-in on loopback. */
const bridge = await startFakeBridge(new ManualClock(new Date()))
let system: System
beforeAll(async () => {
  system = await startSystem({
    RAMP_PROVIDER: 'bridge',
    BRIDGE_API_KEY: bridge.apiKey,
    BRIDGE_BASE_URL: bridge.url,
    BRIDGE_WEBHOOK_PUBLIC_KEY: bridge.publicKey.replaceAll('\n', '\\n'),
    BRIDGE_CONTACT_EMAIL: 'kyb@weir.example',
    BRIDGE_POLL_SECONDS: '1',
  })
})
afterAll(async () => {
  await system?.stop()
  await bridge.close()
})

const send = (message: object) => {
  const { headers, body } = bridge.sign(message, Date.now())
  return system.as(ANONYMOUS).post<{ received: number }>('/ramp/events', undefined, {
    raw: body,
    headers: { ...headers, 'content-type': 'application/json' },
  })
}

test('a payment completes over HTTP despite a kill midway, and lost messages are recovered', async () => {
  const party = await registerOrganization(system)
  const client = await party.client()
  const walletAddress = `0x${randomUUID().replaceAll('-', '').padEnd(40, '1')}`
  const { body: wallet } = await client.post<Wallet>('/v1/wallets/register', { walletAddress, blockchain: 'base' })
  const { body: kyb } = await client.post<{ kyb_url: string }>('/v1/ramp/org/kyb/start')
  expect(kyb.kyb_url).toMatch(/^https:\/\/dashboard\.bridge\.xyz\/accept-terms-of-service\?/)
  expectRefusal(await client.post('/v1/ramp/org/kyb/simulate-approve'), 403, 'SANDBOX_ONLY')
  expectRefusal(
    await client.post('/v1/ramp/org/onramp-accounts', { destination_wallet_id: wallet.walletId }),
    400,
    'KYB_NOT_APPROVED',
  )
  expect((await send(bridge.verify(bridge.links[0]!.id, 'approved'))).body).toEqual({ received: 1 })

  // The partner opens the account but its response is lost; a retry with the same key returns the same account.
  bridge.fail('POST /customers/', 'lose the answer')
  const open = () =>
    client.post<{ id: number; account_number: string }>(
      '/v1/ramp/org/onramp-accounts',
      { destination_wallet_id: wallet.walletId },
      { idempotencyKey: 'one-account' },
    )
  const opened = bridge.virtualAccounts.length
  expectRefusal(await open(), 503, 'RAMP_UNAVAILABLE')
  const { status, body: account } = await open()
  expect(status).toBe(201)
  expect(bridge.virtualAccounts).toHaveLength(opened + 1)
  expect(account.account_number).toBe(
    (bridge.virtualAccounts[0]!.source_deposit_instructions as { bank_account_number: string }).bank_account_number,
  )

  const bank_details = {
    routing_number: '021000021',
    account_number: '000123456789',
    account_type: 'checking',
    account_holder_name: 'Basalt Payments',
    bank_name: 'First Bank',
  }
  const payOut = (more: object = {}) =>
    client.post<{ source_crypto_address: string }>('/v1/ramp/org/offramp-accounts', {
      org_wallet_id: wallet.walletId,
      bank_details,
      ...more,
    })
  const { body: payout } = await payOut()
  expect(payout.source_crypto_address.toLowerCase()).toBe(bridge.liquidationAddresses[0]!.address)
  expectRefusal(await payOut(), 409, 'CONFLICT')
  expectIssues(await payOut({ rail: 'swift' }), 'rail')

  const paid = { amount: '50.00', subtotal_amount: '50.00', destination_tx_hash: '0xabc' }
  const at = () => ({ created_at: new Date().toISOString() })
  const { id } = bridge.virtualAccounts[0]!
  await send(bridge.advanceDeposit(id, 'over-http', 'funds_received', { ...paid, ...at() }))
  // From here on no message arrives, and the service is killed.
  await system.restart({
    signal: 'SIGKILL',
    between: async () => bridge.advanceDeposit(id, 'over-http', 'payment_processed', { ...paid, ...at() }),
  })
  await expect
    .poll(async () => (await client.get<{ data: { status: string; tx_hash: string }[] }>('/v1/ramp/transactions')).body)
    .toMatchObject({
      data: [{ status: 'completed', tx_hash: '0xabc', usd_amount: '50.00', delivered_amount: '50.00' }],
    })
})

test('messages that Bridge did not sign are refused', async () => {
  const raw = JSON.stringify({ event_id: 'wh_forged' })
  const headers = {
    'content-type': 'application/json',
    'x-webhook-signature': `t=${Date.now()},v0=${'A'.repeat(340)}==`,
  }
  expectRefusal(await system.as(ANONYMOUS).post('/ramp/events', undefined, { raw, headers }), 401, 'UNAUTHORIZED')
})
