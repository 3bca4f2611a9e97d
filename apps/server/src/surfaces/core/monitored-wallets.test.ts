import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { staffedOrganization } from '../../../testing/core-server.ts'
import { type CoreSurface, coreSurface } from '../../../testing/core-surface.ts'
import { type MainJob, startMainJob, startTestChain, type TestChain, USDC } from '../../../testing/main-job.ts'
import { generateKey } from '../../identity/index.ts'
import { monitoredWalletRoutes } from './monitored-wallets.ts'
import { orgWalletRoutes } from './org-wallets.ts'
import { walletStatsRoutes } from './wallet-stats.ts'

let dev: TestChain
let job: MainJob
let core: CoreSurface
let staff: Awaited<ReturnType<typeof staffedOrganization>>
beforeAll(async () => {
  dev = await startTestChain()
  job = await startMainJob(dev)
  core = await coreSurface(job, (app, parts) => {
    orgWalletRoutes(app, parts)
    monitoredWalletRoutes(app, parts)
    walletStatsRoutes(app, parts)
  })
})
afterAll(async () => {
  await core?.close()
  await job?.close()
  await dev?.stop()
})
beforeEach(async () => {
  staff = await staffedOrganization(core.parts)
})

const newAddress = () => privateKeyToAccount(generatePrivateKey()).address
const as = (role: keyof typeof staff.tokens) => ({ token: staff.tokens[role] })
const importWallet = (body: object, more: object = {}) =>
  core.call('POST', '/api/core/org-wallets', { ...as('admin'), body, ...more })
const monitor = (body: object, more: object = {}) =>
  core.call('POST', '/api/core/wallets/add-and-monitor', { ...as('admin'), body, ...more })
const settle = (id: number | string, body: object, token = staff.tokens.admin) =>
  core.call('PUT', `/api/core/wallets/monitored/${id}/buffer-settings`, { token, body })
const monitored = async (query = '') =>
  (await core.call('GET', `/api/core/wallets/monitored${query}`, as('viewer'))).body.data
const stats = async () => (await core.call('GET', '/api/core/wallets/stats', as('viewer'))).body.data
const dueAt = async (id: number) =>
  (await job.db.selectFrom('operational_wallets').select('consider_at').where('id', '=', id).executeTakeFirstOrThrow())
    .consider_at
const refusal = (status: number, code: string) => ({ status, body: { code } })

async function newOpWallet(body: object = {}): Promise<number> {
  const { data } = (await importWallet({ address: newAddress(), blockchain: 'polygon' })).body
  return (await monitor({ orgWalletId: data.id, ...body })).body.data.id
}

describe('importing a wallet', () => {
  test('answers 201 with the wallet, and 200 with the same one, unchanged, when it is there', async () => {
    const address = newAddress()
    const body = { address: address.toLowerCase(), blockchain: 'polygon', label: 'Main', custodyProvider: 'aws-kms' }
    const first = await importWallet(body)
    expect(first).toMatchObject({ status: 201, body: { success: true } })
    expect(first.body.data).toEqual({
      id: expect.any(Number),
      address,
      blockchain: 'polygon',
      label: 'Main',
      custodyProvider: 'aws-kms',
      createdAt: job.clock.now().toISOString(),
    })
    const again = await importWallet({ ...body, label: 'Other', custodyProvider: 'other' })
    expect(again).toMatchObject({ status: 200, body: { data: first.body.data } })
    const list = await core.call('GET', '/api/core/wallets', as('viewer'))
    expect(list).toMatchObject({ status: 200, headers: { 'x-total-count': '1' }, body: { data: [first.body.data] } })
  })

  test('shortens the address for a label, and takes the organization to keep its keys', async () => {
    const address = newAddress()
    const { data } = (await importWallet({ address, blockchain: 'polygon' })).body
    expect(data).toMatchObject({ label: `${address.slice(0, 6)}…${address.slice(-4)}`, custodyProvider: 'self' })
  })

  test('returns what v1 registered, in whatever profile, with 200', async () => {
    const client = await job.client({ organizationId: staff.organizationId, usdc: 0n })
    const again = await importWallet({ address: client.address, blockchain: 'polygon', label: 'New' })
    expect(again).toMatchObject({
      status: 200,
      body: { data: { id: client.wallet.walletId, custodyProvider: 'self' } },
    })
  })

  test('happens once when it is repeated with its idempotency key', async () => {
    const body = { address: newAddress(), blockchain: 'polygon' }
    const first = await importWallet(body, { idempotencyKey: 'import' })
    const second = await importWallet(body, { idempotencyKey: 'import' })
    expect(second).toMatchObject({ status: 201, headers: { 'idempotency-replayed': 'true' }, body: first.body })
  })

  test.each([
    [{ address: '0x12', blockchain: 'polygon' }, refusal(400, 'INVALID_ADDRESS')],
    [{ address: 'x', blockchain: 'arbitrum' }, refusal(400, 'VALIDATION_ERROR')],
    [{ blockchain: 'polygon' }, refusal(400, 'VALIDATION_ERROR')],
    [
      { address: '0x00000000000000000000000000000000000000AA', blockchain: 'polygon', label: '' },
      refusal(400, 'VALIDATION_ERROR'),
    ],
  ])('refuses %j', async (body, expected) => {
    expect(await importWallet(body)).toMatchObject(expected)
    expect((await stats()).totalWallets).toBe(0)
  })

  test('is for admins, and a key may only read', async () => {
    const body = { address: newAddress(), blockchain: 'polygon' }
    for (const role of ['approver', 'viewer'] as const)
      expect(await importWallet(body, as(role))).toMatchObject(refusal(403, 'FORBIDDEN'))
    const { organizationId } = staff
    const { apiKey: key } = await generateKey(core.parts, { organizationId, name: 'Agent' })
    expect(await core.call('POST', '/api/core/org-wallets', { key, body })).toMatchObject(refusal(401, 'UNAUTHORIZED'))
    for (const path of ['', '/monitored'])
      expect(await core.call('GET', `/api/core/wallets${path}`, { key })).toMatchObject({ status: 200 })
    expect(await core.call('GET', '/api/core/wallets/stats', { key })).toMatchObject(refusal(401, 'UNAUTHORIZED'))
  })
})

test('a label is 1 to 100 characters, and changes for the wallet of the organization only', async () => {
  const { data } = (await importWallet({ address: newAddress(), blockchain: 'polygon' })).body
  const rename = (id: number, body: object, token = staff.tokens.admin) =>
    core.call('PUT', `/api/core/wallets/${id}`, { token, body })
  const updatedAt = job.clock.now().toISOString()
  expect(await rename(data.id, { label: 'Payroll' })).toMatchObject({
    status: 200,
    body: { success: true, data: { id: data.id, label: 'Payroll', updatedAt } },
  })
  for (const body of [{ label: '' }, { label: 'x'.repeat(101) }, {}, { label: 5 }])
    expect(await rename(data.id, body)).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
  expect(await rename(data.id, { label: 'Mine' }, staff.tokens.approver)).toMatchObject(refusal(403, 'FORBIDDEN'))
  const stranger = (await staffedOrganization(core.parts)).tokens.owner
  expect(await rename(data.id, { label: 'Mine' }, stranger)).toMatchObject(refusal(404, 'WALLET_NOT_FOUND'))
  expect(await rename(2 ** 40, { label: 'Mine' })).toMatchObject(refusal(404, 'WALLET_NOT_FOUND'))
  const list = await core.call('GET', '/api/core/wallets', as('viewer'))
  expect(list.body.data).toMatchObject([{ label: 'Payroll' }])
})

describe('monitoring a wallet', () => {
  test('answers 201 with its settings, and asks for a first look at it', async () => {
    const { data: wallet } = (await importWallet({ address: newAddress(), blockchain: 'polygon' })).body
    const body = {
      orgWalletId: wallet.id,
      enableYield: false,
      bufferAmount: '900',
      token: 'usdt',
      metadata: { a: [1] },
    }
    const added = await monitor(body)
    expect(added.status).toBe(201)
    const createdAt = job.clock.now().toISOString()
    expect(added.body.data).toEqual({
      id: expect.any(Number),
      orgWalletId: wallet.id,
      enableYield: false,
      bufferAmount: '900.00',
      token: 'USDT',
      metadata: { a: [1] },
      createdAt,
    })
    expect(await dueAt(added.body.data.id)).toEqual(job.clock.now())
    const { id } = added.body.data
    const { address } = wallet
    const zero = { availableBalance: '0.00', reservedBalance: '0.00', deployedBalance: '0.00', totalBalance: '0.00' }
    const names = { id, opWalletId: id, managedWalletId: id, orgWalletId: wallet.id, address, blockchain: 'polygon' }
    expect(await monitored()).toEqual([
      {
        ...names,
        ...zero,
        enableYield: false,
        bufferAmount: '900.00',
        token: 'USDT',
        metadata: { a: [1] },
        createdAt,
        updatedAt: createdAt,
      },
    ])
  })

  test('takes USDC, no buffer and yield unless something else is said', async () => {
    const { data } = (await importWallet({ address: newAddress(), blockchain: 'polygon' })).body
    const added = await monitor({ orgWalletId: data.id })
    expect(added.body.data).toMatchObject({ enableYield: true, bufferAmount: '0.00', token: 'USDC', metadata: null })
  })

  test('is once for each token of a wallet', async () => {
    const { data } = (await importWallet({ address: newAddress(), blockchain: 'polygon' })).body
    expect((await monitor({ orgWalletId: data.id })).status).toBe(201)
    expect(await monitor({ orgWalletId: data.id, token: 'USDC' })).toMatchObject(refusal(409, 'CONFLICT'))
    expect((await monitor({ orgWalletId: data.id, token: 'USDT' })).status).toBe(201)
    expect(await stats()).toMatchObject({ totalWallets: 1, monitoredWallets: 2 })
    expect(await monitored('?limit=1')).toMatchObject([{ token: 'USDT' }])
    expect(await monitored('?limit=1&offset=1')).toMatchObject([{ token: 'USDC' }])
    const behind = await core.call('GET', '/api/core/wallets/monitored?limit=1&offset=9', as('viewer'))
    expect(behind).toMatchObject({ headers: { 'x-total-count': '2' }, body: { data: [] } })
  })

  test('names the tokens there are when it is asked for another', async () => {
    const { data } = (await importWallet({ address: newAddress(), blockchain: 'polygon' })).body
    const refused = await monitor({ orgWalletId: data.id, token: 'DAI' })
    expect(refused).toMatchObject(refusal(400, 'INVALID_TOKEN_SYMBOL'))
    expect(refused.body.details).toEqual({ availableTokens: ['USDC', 'USDT'], requested: 'DAI' })
  })

  test.each([
    { bufferAmount: '-1' },
    { bufferAmount: '1.0000001' },
    { bufferAmount: '1e3' },
    { bufferAmount: '' },
    { bufferAmount: 5 },
    { enableYield: 'yes' },
    { metadata: 'text' },
    { metadata: { long: 'x'.repeat(20_000) } },
  ])('refuses %j and changes nothing', async (body) => {
    const { data } = (await importWallet({ address: newAddress(), blockchain: 'polygon' })).body
    expect(await monitor({ orgWalletId: data.id, ...body })).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
    expect(await monitored()).toEqual([])
  })

  test('does not tell a wallet of another organization from an unknown one', async () => {
    const { data } = (await importWallet({ address: newAddress(), blockchain: 'polygon' })).body
    const { tokens } = await staffedOrganization(core.parts)
    for (const orgWalletId of [data.id, 2 ** 40])
      expect(await monitor({ orgWalletId }, { token: tokens.owner })).toMatchObject(refusal(404, 'WALLET_NOT_FOUND'))
    expect(await monitored()).toEqual([])
  })
})

describe('buffer settings', () => {
  test('change one at a time or both, and ask the rebalancer to look', async () => {
    const id = await newOpWallet()
    await job.db.updateTable('operational_wallets').set({ consider_at: null }).where('id', '=', id).execute()
    job.clock.advance(1_000)
    const updatedAt = job.clock.now().toISOString()
    const changed = await settle(id, { bufferAmount: '12.5' })
    expect(changed).toMatchObject({ status: 200, body: { success: true } })
    expect(changed.body.data).toEqual({ id, enableYield: true, bufferAmount: '12.50', updatedAt })
    expect(await dueAt(id)).toEqual(job.clock.now())
    expect((await settle(id, { enableYield: false })).body.data).toMatchObject({
      enableYield: false,
      bufferAmount: '12.50',
    })
    const both = await settle(id, { enableYield: true, bufferAmount: '0' })
    expect(both.body.data).toMatchObject({ enableYield: true, bufferAmount: '0.00' })
  })

  test('need one of the two, of an admin, for an operational wallet of the organization', async () => {
    const id = await newOpWallet({ bufferAmount: '5' })
    const before = await monitored()
    for (const body of [{}, { bufferAmount: '1.2345678' }, { bufferAmount: null }, { enableYield: 1 }])
      expect(await settle(id, body)).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
    expect(await settle(id, { bufferAmount: '1' }, staff.tokens.approver)).toMatchObject(refusal(403, 'FORBIDDEN'))
    const stranger = (await staffedOrganization(core.parts)).tokens.owner
    for (const [of, token] of [
      [id, stranger],
      [2 ** 40, staff.tokens.admin],
    ] as const)
      expect(await settle(of, { bufferAmount: '1' }, token)).toMatchObject(refusal(404, 'WALLET_NOT_FOUND'))
    expect(await monitored()).toEqual(before)
  })
})

test('balances tell what is free, held back and at work, yield included, and the statistics are their sums', async () => {
  const client = await job.client({ organizationId: staff.organizationId, usdc: 1_000n * USDC })
  await job.settle()
  await monitor({ orgWalletId: client.wallet.walletId, bufferAmount: '100' })
  expect(await monitored()).toMatchObject([
    { availableBalance: '1000.00', deployedBalance: '0.00', totalBalance: '1000.00' },
  ])

  const planned = await client.supply(600n * USDC)
  const waiting = { availableBalance: '400.00', reservedBalance: '600.00', totalBalance: '1000.00' }
  expect(await monitored()).toMatchObject([waiting])
  expect(await stats()).toEqual({
    totalWallets: 1,
    monitoredWallets: 1,
    totalBalance: '1000.00',
    deployedBalance: '0.00',
    availableBalance: '400.00',
    yieldEarned: '0.00',
  })

  await client.finish(planned)
  await dev.increaseTime(30 * 86_400)
  await job.settle()
  const [grown] = await monitored()
  expect(grown).toMatchObject({ availableBalance: '400.00', reservedBalance: '0.00' })
  expect(Number(grown.deployedBalance)).toBeGreaterThan(600.5)
  expect(Number(grown.totalBalance)).toBeCloseTo(400 + Number(grown.deployedBalance), 6)
  const sums = await stats()
  expect(sums).toMatchObject({ totalBalance: grown.totalBalance, deployedBalance: grown.deployedBalance })
  expect(Number(sums.yieldEarned)).toBeCloseTo(Number(grown.deployedBalance) - 600, 6)

  await client.finish(await client.unwind('full'))
  const [home] = await monitored()
  expect(home).toMatchObject({ reservedBalance: '0.00', deployedBalance: '0.00', totalBalance: home.availableBalance })
  // What was earned stays earned when it comes home.
  const after = await stats()
  expect(Number(after.yieldEarned)).toBeCloseTo(Number(home.availableBalance) - 1_000, 6)
})
