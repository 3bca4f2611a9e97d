import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../../testing/index.ts'
import type { Data, Wallet } from '../clients/api-types.ts'
import type { HttpClient } from '../clients/client.ts'
import { expectIssues, expectRefusal } from '../clients/expect-refusal.ts'
import {
  BANK,
  type Kyb,
  newestRecordIn,
  type Offramp,
  type Onramp,
  offrampOf,
  onrampOf,
  type Page,
  type RampRecord,
  type Recipient,
  recordsOf,
} from '../clients/ramp-client.ts'
import { registerOrganization } from '../clients/register-organization.ts'
import { type System, startSystem } from '../service/start-system.ts'

let system: System
beforeAll(async () => {
  system = await startSystem()
})
afterAll(() => system?.stop())

const ADDRESS = { street1: '1 Main Street', city: 'Springfield' }
/** An address that is registered nowhere. */
const SOMEBODY = '0x000000000000000000000000000000000000dEaD'

/** Creates an organization for one test, with a key and a wallet whose private key nobody has. */
async function start(): Promise<{ client: HttpClient; owner: HttpClient; wallet: Wallet }> {
  const party = await registerOrganization(system)
  const client = await party.client()
  const walletAddress = `0x${randomUUID().replaceAll('-', '').padEnd(40, '1')}`
  const { body } = await client.post<Wallet>('/v1/wallets/register', { walletAddress, blockchain: 'base' })
  return { client, owner: party.owner, wallet: body }
}

async function approved() {
  const started = await start()
  await started.client.post('/v1/ramp/org/kyb/start')
  await started.client.post('/v1/ramp/org/kyb/simulate-approve')
  return started
}

const fast = { step_delay_ms: 0 }

describe('verification', () => {
  test('is approved through the hosted form, which works without JavaScript', async () => {
    const { client } = await start()
    expect((await client.get<Kyb>('/v1/ramp/org/kyb/status')).body).toEqual({
      kybStatus: null,
      applicationUrl: null,
      onrampAccount: null,
      onrampAccounts: [],
    })
    expectRefusal(await client.post('/v1/ramp/org/kyb/simulate-approve'), 409, 'CONFLICT')
    const { body } = await client.post<{ kyb_status: string; kyb_url: string }>('/v1/ramp/org/kyb/start')
    expect(body.kyb_status).toBe('pending')
    expect((await client.post<typeof body>('/v1/ramp/org/kyb/start')).body).toEqual(body)

    expect(body.kyb_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/ramp\/kyb\/[\w-]{43}$/)
    const page = await (await fetch(body.kyb_url)).text()
    expect(page).toContain('<html lang="en">')
    for (const name of ['legal_name', 'registration_number', 'country', 'email', 'accurate']) {
      expect(page).toContain(`for="${name}"`)
    }
    const answers = {
      legal_name: '<b>Basalt',
      registration_number: '1',
      country: 'US',
      email: 'a@b.example',
      accurate: 'yes',
    }
    const send = (fields: object) =>
      fetch(body.kyb_url, { method: 'POST', body: new URLSearchParams({ ...fields }), redirect: 'manual' })
    const wrong = await send({ ...answers, email: 'nobody' })
    expect(wrong.status).toBe(422)
    const again = await wrong.text()
    expect(again).toContain('role="alert"')
    expect(again).not.toContain('<b>Basalt')
    expect((await client.get<Kyb>('/v1/ramp/org/kyb/status')).body.kybStatus).toBe('pending')

    const sent = await send(answers)
    expect(sent.status).toBe(303)
    expect(await (await fetch(new URL(sent.headers.get('location')!, body.kyb_url))).text()).toContain('being reviewed')
    expect((await client.get<Kyb>('/v1/ramp/org/kyb/status')).body.kybStatus).toBe('submitted')
    expect((await client.post<Kyb>('/v1/ramp/org/kyb/check-status')).body.kybStatus).toBe('submitted')
    expect((await client.post<Kyb>('/v1/ramp/org/kyb/simulate-approve')).body.kybStatus).toBe('approved')
    expectRefusal(await client.post('/v1/ramp/org/kyb/simulate-approve'), 409, 'CONFLICT')
    expectRefusal(await client.post('/v1/ramp/org/kyb/simulate-reject'), 409, 'CONFLICT')
    expect((await fetch(new URL('/ramp/kyb/nobody', body.kyb_url))).status).toBe(404)
  })

  test('that was declined starts again with a new form', async () => {
    const { client } = await start()
    const first = (await client.post<{ kyb_url: string }>('/v1/ramp/org/kyb/start')).body
    expect((await client.post<Kyb>('/v1/ramp/org/kyb/simulate-reject')).body.kybStatus).toBe('declined')
    const second = (await client.post<{ kyb_status: string; kyb_url: string }>('/v1/ramp/org/kyb/start')).body
    expect(second.kyb_status).toBe('pending')
    expect(second.kyb_url).not.toBe(first.kyb_url)
    const asked = ['approve', 'reject', 'approve', 'reject'].map((word) =>
      client.post<Kyb>(`/v1/ramp/org/kyb/simulate-${word}`),
    )
    expect((await Promise.all(asked)).map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    expect((await fetch(first.kyb_url)).status).toBe(404)
  })
})

describe('recipients', () => {
  test('are created, listed, changed, verified and archived', async () => {
    const { client, owner, wallet } = await start()
    const made = await client.post<Recipient>('/v1/ramp/recipients', { name: 'Ada', external_id: 'a-1' })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({ name: 'Ada', type: 'business', external_id: 'a-1', kyb_status: 'pending' })
    expectRefusal(await client.post('/v1/ramp/recipients', { name: 'Bob', external_id: 'a-1' }), 409, 'CONFLICT')
    const { id } = made.body
    const path = `/v1/ramp/recipients/${id}`
    const account = { destination_wallet_id: wallet.walletId }
    const payout = { org_wallet_id: wallet.walletId, bank_details: BANK }

    expectRefusal(await client.post(`${path}/onramp-accounts`, account), 400, 'KYB_NOT_APPROVED')
    expect((await client.post<Recipient>(`${path}/kyb/simulate-approve`)).body.kyb_status).toBe('approved')
    expectRefusal(await client.post(`${path}/offramp-accounts`, payout), 400, 'RECIPIENT_ADDRESS_REQUIRED')
    expectIssues(await client.patch(path, { address: { street1: '1 Main Street' } }), 'address.city')
    expect((await client.patch(path, { address: ADDRESS })).body).toMatchObject({
      address: { ...ADDRESS, country: 'US' },
    })
    const opened = await client.post<Onramp>(`${path}/onramp-accounts`, account)
    expect(opened.status).toBe(201)
    expect(opened.body.destination_wallet).toMatchObject({ id: wallet.walletId, address: wallet.walletAddress })
    const out = (await client.post<Offramp>(`${path}/offramp-accounts`, payout)).body
    expect(out.fiat_account_number).toBe('****6789')

    const detail = (await client.get<{ bank_accounts: unknown[] }>(path)).body
    expect(detail).toMatchObject({ onramp_account_count: 1, offramp_account_count: 1, total_volume_usd: '0.00' })
    expect(JSON.stringify(detail)).not.toContain(opened.body.account_number)
    expect(detail.bank_accounts).toHaveLength(2)
    expect((await client.get<Page<Recipient>>('/v1/ramp/recipients?kyb_status=APPROVED')).body.data).toMatchObject([
      { id },
    ])

    expect((await client.post<{ archived_at: string }>(`${path}/archive`)).body.archived_at).not.toBeNull()
    expect((await client.post(`${path}/archive`)).status).toBe(200)
    expectRefusal(await client.post(`${path}/onramp-accounts`, account), 400, 'RECIPIENT_ARCHIVED')
    expectRefusal(await client.post(`${path}/simulate-transaction`, fast), 400, 'RECIPIENT_ARCHIVED')
    expect((await client.get<Page<Recipient>>('/v1/ramp/recipients')).body.pagination.total).toBe(0)
    expect((await client.get<Page<Recipient>>('/v1/ramp/recipients?archived=true')).body.pagination.total).toBe(1)
    // As Python writes it.
    expect((await client.get<Page<Recipient>>('/v1/ramp/recipients?archived=True')).body.pagination.total).toBe(1)
    expect((await owner.post(`/api/core/recipients/${id}/erase`)).status).toBe(200)
    expect(JSON.stringify((await client.get(path)).body)).not.toContain('Ada')
  })

  test('whose verification is rejected', async () => {
    const { client } = await start()
    const { id } = (await client.post<Recipient>('/v1/ramp/recipients', { name: 'Ada' })).body
    const { body } = await client.post<Recipient>(`/v1/ramp/recipients/${id}/kyb/simulate-reject`)
    expect(body.kyb_status).toBe('declined')
  })
})

describe('accounts', () => {
  test('for the organization are opened under either name and shown in full only where payers need them', async () => {
    const { client, wallet } = await approved()
    expect((await client.get('/v1/ramp/org/onramp-account')).body).toBeNull()
    const first = (
      await client.post<Onramp>('/v1/ramp/org/onramp-accounts', {
        orgWalletId: wallet.walletId,
        destinationAsset: 'usdc',
      })
    ).body
    const { walletAddress, blockchain } = wallet
    const second = (
      await client.post<Onramp>('/v1/ramp/org/onramp-accounts', {
        wallet_address: walletAddress,
        blockchain,
        rail: 'swift',
      })
    ).body
    expect(second.account_number).not.toBe(first.account_number)
    expect((await client.get<Onramp>('/v1/ramp/org/onramp-account')).body).toEqual(first)
    const list = await client.get<Onramp[]>('/v1/ramp/org/onramp-accounts?limit=1')
    expect([list.body, list.headers.get('x-total-count')]).toEqual([[second], '2'])
    expect((await client.get('/v1/ramp/org/onramp-accounts?page=2&per_page=1')).body).toEqual([first])
    const kyb = (await client.get<Kyb>('/v1/ramp/org/kyb/status')).body
    expect(kyb.onrampAccount!.account_number).toBe(`****${first.account_number.slice(-4)}`)
    expect(kyb.onrampAccounts).toHaveLength(2)

    expectRefusal(
      await client.post('/v1/ramp/org/onramp-accounts', { destination_wallet_id: 2 ** 40 }),
      404,
      'WALLET_NOT_FOUND',
    )
    expectRefusal(
      await client.post('/v1/ramp/org/onramp-accounts', {
        destination_wallet_id: wallet.walletId,
        destination_asset: 'USDT',
      }),
      400,
      'ASSET_NOT_SUPPORTED',
    )
    expectIssues(await client.post('/v1/ramp/org/onramp-accounts', {}), 'destination_wallet_id')
    const named = { destination_wallet_id: wallet.walletId, walletAddress, blockchain }
    for (const [field, wrong] of [
      ['wallet_address', { ...named, walletAddress: SOMEBODY }],
      ['wallet_address', { ...named, wallet_address: SOMEBODY }],
      ['blockchain', { ...named, blockchain: 'ethereum' }],
      ['blockchain', { ...named, blockchain: 'arbitrum' }],
      ['destination_asset', { ...named, destination_asset: 'USDC', destinationAsset: 'USDT' }],
    ] as const) {
      expectIssues(await client.post('/v1/ramp/org/onramp-accounts', wrong), field)
    }
    const bad = { ...BANK, routing_number: '021000022' }
    expectIssues(
      await client.post('/v1/ramp/org/offramp-accounts', { org_wallet_id: wallet.walletId, bank_details: bad }),
      'bank_details.routing_number',
    )
    expect((await client.get('/v1/ramp/org/offramp-status')).body).toEqual({
      kybStatus: 'approved',
      offrampAccounts: [],
    })
  })

  test('opened twice with one key are one account, whose number is returned again but never stored', async () => {
    const { client, wallet } = await approved()
    const how = { idempotencyKey: randomUUID() }
    const body = { destination_wallet_id: wallet.walletId }
    const first = await client.post<Onramp>('/v1/ramp/org/onramp-accounts', body, how)
    const second = await client.post<Onramp>('/v1/ramp/org/onramp-accounts', body, how)
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(second.text).toBe(first.text)
    expect((await client.get<Onramp[]>('/v1/ramp/org/onramp-accounts')).body).toHaveLength(1)
  })
})

describe('money', () => {
  test('arrives as the quoted tokens, here 50,000 USD, and every endpoint reports the same amounts', async () => {
    const { client, wallet } = await approved()
    expectRefusal(await client.post('/v1/ramp/org/simulate-transaction'), 404, 'ACCOUNT_NOT_FOUND')
    await onrampOf(client, wallet)
    const quote = (await client.get<RampRecord>('/v1/ramp/quote?usd_amount=50000')).body
    expect(quote).toMatchObject({ usd_amount: '50000.00', total_fee: '125.00', developer_fee: '25.00' })
    const accepted = await client.post('/v1/ramp/org/simulate-transaction', fast)
    const { createdBy } = (await client.get<{ createdBy: object }>('/v1/ramp/org/kyb/status')).body
    expect(createdBy).toEqual({ type: 'key', id: expect.any(Number) })
    expect([accepted.status, accepted.body]).toMatchObject([202, { success: true, data: { state: 'accepted' } }])
    const record = await newestRecordIn(client, 'completed')
    expect(record.created_by).toEqual(createdBy)
    for (const name of [
      'usd_amount',
      'total_fee',
      'developer_fee',
      'delivered_amount',
      'delivered_amount_base_units',
    ] as const)
      expect(record[name]).toBe(quote[name])
    expect(record.status_history.map(({ status }) => status)).toEqual([
      'pending',
      'processing',
      'in_progress',
      'broadcasted',
      'completed',
    ])
    const detail = (await client.get<{ balances: { available: string }[] }>(`/v1/wallets/${wallet.walletId}`)).body
    expect(detail.balances[0]!.available).toBe('49875000000')

    expect((await client.get<RampRecord>(`/v1/ramp/transactions/${record.id}`)).body).toEqual(record)
    expect((await client.get<RampRecord>(`/v1/ramp/org/transactions/${record.id}`)).body).toEqual(record)
    expectRefusal(await client.get(`/v1/ramp/org/offramp-transactions/${record.id}`), 404, 'TRANSACTION_NOT_FOUND')
    const summary = (await client.get('/v1/ramp/transactions/summary')).body
    expect(summary).toMatchObject({
      total_volume_usd: '50000.00',
      total_fees_usd: '125.00',
      total_delivered: '49875.00',
      transaction_count: 1,
      by_status: { completed: 1 },
    })
    expect((await client.get('/v1/ramp/org/ramp-summary')).body).toMatchObject({ totalVolumeUsd: '50000.00' })
    const csv = await client.get<string>('/v1/ramp/transactions/export?format=csv')
    expect(csv.text.split('\r\n')).toHaveLength(3)
    expect((await client.get<Page<RampRecord>>('/v1/ramp/transactions?date_to=2020-01-01')).body.data).toEqual([])
    expectIssues(await client.get('/v1/ramp/transactions?date_from=yesterday'), 'date_from')
    expectIssues(await client.get('/v1/ramp/transactions?status=lost'), 'status')
  })

  test('that arrives in an operational wallet is deployed above its buffer, even without gas', async () => {
    const { client, owner, wallet } = await approved()
    await onrampOf(client, wallet)
    const watched = { orgWalletId: wallet.walletId, bufferAmount: '1000.00' }
    expect((await owner.post('/api/core/wallets/add-and-monitor', watched)).status).toBe(201)
    await client.post('/v1/ramp/org/simulate-transaction', fast)
    const planned = await until(async () => {
      const { body } =
        await owner.get<Data<{ intents: { type: string; amount: string }[] }>>('/api/core/operations/queue')
      return body.data.intents[0]
    })
    expect(planned).toMatchObject({ type: 'SUPPLY', amount: '48875.00' })
  })

  test('sent to a deposit address is paid out, or returned if that is impossible', async () => {
    const { client, wallet } = await approved()
    const account = await offrampOf(client, wallet)
    const give = (amount: string) =>
      system.profile.post('/v1/sandbox/faucet', {
        walletAddress: account.source_crypto_address,
        blockchain: 'base',
        token: 'USDC',
        amount,
        withGas: false,
      })
    await give('100005000')
    const record = await until(async () => (await recordsOf(client))[0])
    expect(record).toMatchObject({ type: 'offramp', usd_amount: '100.00', total_fee: '0.25', dust_base_units: '5000' })
    await newestRecordIn(client, 'completed')
    await client.post('/v1/ramp/org/simulate-offramp-transaction', { ...fast, scenario: 'rejected', usd_amount: 12.34 })
    const returned = await until(async () => {
      const [last] = await recordsOf(client)
      return last?.return_tx_hash && last
    })
    expect(returned).toMatchObject({ status: 'rejected', failure_reason: 'payment_rejected', usd_amount: '12.34' })
    await until(async () => {
      const { body } = await client.get<{ balances: { available: string }[] }>(`/v1/wallets/${wallet.walletId}`)
      return body.balances[0]!.available === '12340000'
    })
    const list = (await client.get<Page<RampRecord>>('/v1/ramp/org/offramp-transactions')).body
    expect(list.data.map(({ status }) => status)).toEqual(['rejected', 'completed'])
    const one = `/v1/ramp/org/offramp-transactions/${record!.id}`
    expect((await client.get<RampRecord>(one)).body).toEqual(list.data[1])
  })

  test('continues where it was after the service was killed between two steps', async () => {
    const { client, wallet } = await approved()
    await onrampOf(client, wallet)
    await client.post('/v1/ramp/org/simulate-transaction', { step_delay_ms: 500, usd_amount: 100 })
    await until(async () => (await recordsOf(client))[0]?.status === 'processing')
    await system.restart({ signal: 'SIGKILL' })
    const record = await newestRecordIn(client, 'completed')
    expect(record.status_history.map(({ status }) => status)).toEqual([
      'pending',
      'processing',
      'in_progress',
      'broadcasted',
      'completed',
    ])
  })
})
