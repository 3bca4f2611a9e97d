import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { staffedOrganization } from '../../../../testing/surfaces/core-server.ts'
import { refusal, useTreasury } from '../../../../testing/surfaces/use-treasury.ts'
import { USDC } from '../../../../testing/units.ts'
import { operationalWalletRoutes } from './operational-wallets.ts'
import { orgWalletRoutes } from './org-wallets.ts'
import { walletStatsRoutes } from './wallet-stats.ts'

const treasury = useTreasury((app, parts) => {
  orgWalletRoutes(app, parts)
  operationalWalletRoutes(app, parts)
  walletStatsRoutes(app, parts)
})

const newAddress = () => privateKeyToAccount(generatePrivateKey()).address
const importWallet = (body: object) => treasury.send('POST', '/api/core/org-wallets', body)
const monitor = (body: object, more?: object) => treasury.send('POST', '/api/core/wallets/add-and-monitor', body, more)
const settle = (id: number | string, body: object, token = treasury.staff.tokens.admin) =>
  treasury.send('PUT', `/api/core/wallets/monitored/${id}/buffer-settings`, body, { token })
const monitored = (query = '') => treasury.read(`/api/core/wallets/monitored${query}`)
const stats = () => treasury.read('/api/core/wallets/stats')
const dueAt = async (id: number) => {
  const rows = treasury.engine.db.selectFrom('operational_wallets').select('due_at').where('id', '=', id)
  return (await rows.executeTakeFirstOrThrow()).due_at
}

async function newOpWallet(body: object = {}): Promise<number> {
  const { data } = (await importWallet({ address: newAddress(), blockchain: 'polygon' })).body
  return (await monitor({ orgWalletId: data.id, ...body })).body.data.id
}

describe('adding an operational wallet', () => {
  test('returns 201 with its settings, and schedules its first evaluation', async () => {
    const { data: wallet } = (await importWallet({ address: newAddress(), blockchain: 'polygon' })).body
    const body = {
      orgWalletId: wallet.id,
      enableYield: false,
      bufferAmount: '900',
      token: 'usdt',
      metadata: { costCenter: '4100', tags: ['payouts'] },
    }
    const added = await monitor(body)
    expect(added.status).toBe(201)
    const createdAt = treasury.engine.clock.now().toISOString()
    const createdBy = { type: 'user', id: treasury.staff.ids.admin }
    expect(added.body.data).toEqual({
      id: expect.any(Number),
      opWalletId: added.body.data.id,
      managedWalletId: added.body.data.id,
      orgWalletId: wallet.id,
      enableYield: false,
      bufferAmount: '900.00',
      token: 'USDT',
      metadata: { costCenter: '4100', tags: ['payouts'] },
      createdAt,
      createdBy,
    })
    expect(await dueAt(added.body.data.id)).toEqual(treasury.engine.clock.now())
    const { id } = added.body.data
    const { address } = wallet
    const zero = { availableBalance: '0.00', reservedBalance: '0.00', deployedBalance: '0.00', totalBalance: '0.00' }
    const names = { id, opWalletId: id, managedWalletId: id, orgWalletId: wallet.id, address, blockchain: 'polygon' }
    const label = `${address.slice(0, 6)}…${address.slice(-4)}`
    expect(await monitored()).toEqual([
      {
        ...names,
        ...zero,
        label,
        deployedAt: null,
        enableYield: false,
        bufferAmount: '900.00',
        token: 'USDT',
        tokenDecimals: 6,
        metadata: { costCenter: '4100', tags: ['payouts'] },
        createdAt,
        createdBy,
        updatedAt: createdAt,
      },
    ])
  })

  test('defaults to USDC, no buffer and yield enabled', async () => {
    const { data } = (await importWallet({ address: newAddress(), blockchain: 'polygon' })).body
    const added = await monitor({ orgWalletId: data.id })
    expect(added.body.data).toMatchObject({ enableYield: true, bufferAmount: '0.00', token: 'USDC', metadata: null })
  })

  test('works once per token of a wallet', async () => {
    const { data } = (await importWallet({ address: newAddress(), blockchain: 'polygon' })).body
    expect((await monitor({ orgWalletId: data.id })).status).toBe(201)
    expect(await monitor({ orgWalletId: data.id, token: 'USDC' })).toMatchObject(refusal(409, 'CONFLICT'))
    expect((await monitor({ orgWalletId: data.id, token: 'USDT' })).status).toBe(201)
    expect(await stats()).toMatchObject({ totalWallets: 1, monitoredWallets: 2 })
    expect(await monitored('?limit=1')).toMatchObject([{ token: 'USDT' }])
    expect(await monitored('?limit=1&offset=1')).toMatchObject([{ token: 'USDC' }])
    const behind = await treasury.core.call('GET', '/api/core/wallets/monitored?limit=1&offset=9', {
      token: treasury.staff.tokens.viewer,
    })
    expect(behind).toMatchObject({ headers: { 'x-total-count': '2' }, body: { data: [] } })
  })

  test('names the supported tokens when another one is requested', async () => {
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

  test('does not distinguish a wallet of another organization from an unknown one', async () => {
    const { data } = (await importWallet({ address: newAddress(), blockchain: 'polygon' })).body
    const { tokens } = await staffedOrganization(treasury.core.parts)
    for (const orgWalletId of [data.id, 2 ** 40])
      expect(await monitor({ orgWalletId }, { token: tokens.owner })).toMatchObject(refusal(404, 'WALLET_NOT_FOUND'))
    expect(await monitored()).toEqual([])
  })
})

describe('buffer settings', () => {
  test('change one at a time or both, and make the wallet due', async () => {
    const id = await newOpWallet()
    await treasury.engine.db.updateTable('operational_wallets').set({ due_at: null }).where('id', '=', id).execute()
    treasury.engine.clock.advance(1_000)
    const updatedAt = treasury.engine.clock.now().toISOString()
    const changed = await settle(id, { bufferAmount: '12.5' })
    expect(changed).toMatchObject({ status: 200, body: { success: true } })
    const names = { id, opWalletId: id, managedWalletId: id }
    expect(changed.body.data).toEqual({ ...names, enableYield: true, bufferAmount: '12.50', updatedAt })
    expect(await dueAt(id)).toEqual(treasury.engine.clock.now())
    expect((await settle(id, { enableYield: false })).body.data).toMatchObject({
      enableYield: false,
      bufferAmount: '12.50',
    })
    const both = await settle(id, { enableYield: true, bufferAmount: '0' })
    expect(both.body.data).toMatchObject({ enableYield: true, bufferAmount: '0.00' })
  })

  test('require one of the two fields, an admin, and an operational wallet of the organization', async () => {
    const id = await newOpWallet({ bufferAmount: '5' })
    const before = await monitored()
    for (const body of [{}, { bufferAmount: '1.2345678' }, { bufferAmount: null }, { enableYield: 1 }])
      expect(await settle(id, body)).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
    expect(await settle(id, { bufferAmount: '1' }, treasury.staff.tokens.approver)).toMatchObject(
      refusal(403, 'FORBIDDEN'),
    )
    const stranger = (await staffedOrganization(treasury.core.parts)).tokens.owner
    for (const [of, token] of [
      [id, stranger],
      [2 ** 40, treasury.staff.tokens.admin],
    ] as const)
      expect(await settle(of, { bufferAmount: '1' }, token)).toMatchObject(refusal(404, 'WALLET_NOT_FOUND'))
    expect(await monitored()).toEqual(before)
  })
})

test('balances show available, reserved and deployed amounts, yield included; statistics sum them', async () => {
  const client = await treasury.engine.client({ organizationId: treasury.staff.organizationId, usdc: 1_000n * USDC })
  await treasury.engine.settle()
  await monitor({ orgWalletId: client.wallet.walletId, bufferAmount: '100' })
  expect(await monitored()).toMatchObject([
    { availableBalance: '1000.00', deployedBalance: '0.00', totalBalance: '1000.00' },
  ])

  const planned = await client.supply(600n * USDC)
  const waiting = { availableBalance: '400.00', reservedBalance: '600.00', totalBalance: '1000.00' }
  expect(await monitored()).toMatchObject([waiting])
  const sumsNow = {
    totalBalance: '1000.00',
    deployedBalance: '0.00',
    availableBalance: '400.00',
    reservedBalance: '600.00',
    exitingBalance: '0.00',
    yieldEarned: '0.00',
  }
  expect(await stats()).toEqual({
    totalWallets: 1,
    monitoredWallets: 1,
    withdrawableBalance: '0.00',
    ...sumsNow,
    byToken: [{ token: 'USDC', ...sumsNow }],
  })

  await client.complete(planned)
  await treasury.dev.increaseTime(30 * 86_400)
  await treasury.engine.settle()
  const [grown] = await monitored()
  expect(grown).toMatchObject({ availableBalance: '400.00', reservedBalance: '0.00' })
  expect(Number(grown.deployedBalance)).toBeGreaterThan(600.5)
  expect(Number(grown.totalBalance)).toBeCloseTo(400 + Number(grown.deployedBalance), 6)
  const sums = await stats()
  expect(sums).toMatchObject({ totalBalance: grown.totalBalance, deployedBalance: grown.deployedBalance })
  expect(Number(sums.yieldEarned)).toBeCloseTo(Number(grown.deployedBalance) - 600, 6)

  await client.complete(await client.unwind('full'))
  const [home] = await monitored()
  expect(home).toMatchObject({ reservedBalance: '0.00', deployedBalance: '0.00', totalBalance: home.availableBalance })
  // Earned yield stays earned after a withdrawal.
  const after = await stats()
  expect(Number(after.yieldEarned)).toBeCloseTo(Number(home.availableBalance) - 1_000, 6)
})
