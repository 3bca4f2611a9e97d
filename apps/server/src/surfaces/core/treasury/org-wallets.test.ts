import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { staffedOrganization } from '../../../../testing/surfaces/core-server.ts'
import { refusal, useTreasury } from '../../../../testing/surfaces/use-treasury.ts'
import { generateKey } from '../../../identity/index.ts'
import { operationalWalletRoutes } from './operational-wallets.ts'
import { orgWalletRoutes } from './org-wallets.ts'
import { walletStatsRoutes } from './wallet-stats.ts'

const treasury = useTreasury((app, parts) => {
  orgWalletRoutes(app, parts)
  operationalWalletRoutes(app, parts)
  walletStatsRoutes(app, parts)
})

const newAddress = () => privateKeyToAccount(generatePrivateKey()).address
const importWallet = (body: object, more?: object) => treasury.send('POST', '/api/core/org-wallets', body, more)
const as = (role: 'admin' | 'approver' | 'viewer') => ({ token: treasury.staff.tokens[role] })

describe('importing a wallet', () => {
  test('returns 201 with the wallet, and 200 with the unchanged wallet if it already exists', async () => {
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
      createdAt: treasury.engine.clock.now().toISOString(),
      createdBy: { type: 'user', id: treasury.staff.ids.admin },
    })
    const again = await importWallet({ ...body, label: 'Other', custodyProvider: 'other' })
    expect(again).toMatchObject({ status: 200, body: { data: first.body.data } })
    const list = await treasury.core.call('GET', '/api/core/wallets', { token: treasury.staff.tokens.viewer })
    expect(list).toMatchObject({ status: 200, headers: { 'x-total-count': '1' }, body: { data: [first.body.data] } })
  })

  test('labels it with the shortened address, and names the organization as custodian by default', async () => {
    const address = newAddress()
    const { data } = (await importWallet({ address, blockchain: 'polygon' })).body
    expect(data).toMatchObject({ label: `${address.slice(0, 6)}…${address.slice(-4)}`, custodyProvider: 'self' })
  })

  test('returns a wallet registered on v1 in any profile with 200', async () => {
    const client = await treasury.engine.client({ organizationId: treasury.staff.organizationId, usdc: 0n })
    const again = await importWallet({ address: client.address, blockchain: 'polygon', label: 'New' })
    expect(again).toMatchObject({
      status: 200,
      body: { data: { id: client.wallet.walletId, custodyProvider: 'self' } },
    })
  })

  test('repeated with its idempotency key happens once', async () => {
    const body = { address: newAddress(), blockchain: 'polygon' }
    const first = await importWallet(body, { ...as('admin'), idempotencyKey: 'import' })
    const second = await importWallet(body, { ...as('admin'), idempotencyKey: 'import' })
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
    expect((await treasury.read('/api/core/wallets/stats')).totalWallets).toBe(0)
  })

  test('requires an admin, and a key may only read', async () => {
    const body = { address: newAddress(), blockchain: 'polygon' }
    for (const role of ['approver', 'viewer'] as const)
      expect(await importWallet(body, as(role))).toMatchObject(refusal(403, 'FORBIDDEN'))
    const { organizationId } = treasury.staff
    const { apiKey: key } = await generateKey(treasury.core.parts, { organizationId, name: 'Agent' })
    expect(await treasury.core.call('POST', '/api/core/org-wallets', { key, body })).toMatchObject(
      refusal(401, 'UNAUTHORIZED'),
    )
    for (const path of ['', '/monitored'])
      expect(await treasury.core.call('GET', `/api/core/wallets${path}`, { key })).toMatchObject({ status: 200 })
    expect(await treasury.core.call('GET', '/api/core/wallets/stats', { key })).toMatchObject(
      refusal(401, 'UNAUTHORIZED'),
    )
  })
})

test('a label has 1 to 100 characters, and changes for a wallet of the organization only', async () => {
  const { data } = (await importWallet({ address: newAddress(), blockchain: 'polygon' })).body
  const rename = (id: number, body: object, token = treasury.staff.tokens.admin) =>
    treasury.send('PUT', `/api/core/wallets/${id}`, body, { token })
  const updatedAt = treasury.engine.clock.now().toISOString()
  expect(await rename(data.id, { label: 'Payroll' })).toMatchObject({
    status: 200,
    body: { success: true, data: { id: data.id, label: 'Payroll', updatedAt } },
  })
  for (const body of [{ label: '' }, { label: 'x'.repeat(101) }, {}, { label: 5 }])
    expect(await rename(data.id, body)).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
  expect(await rename(data.id, { label: 'Mine' }, treasury.staff.tokens.approver)).toMatchObject(
    refusal(403, 'FORBIDDEN'),
  )
  const stranger = (await staffedOrganization(treasury.core.parts)).tokens.owner
  expect(await rename(data.id, { label: 'Mine' }, stranger)).toMatchObject(refusal(404, 'WALLET_NOT_FOUND'))
  expect(await rename(2 ** 40, { label: 'Mine' })).toMatchObject(refusal(404, 'WALLET_NOT_FOUND'))
  const list = await treasury.core.call('GET', '/api/core/wallets', { token: treasury.staff.tokens.viewer })
  expect(list.body.data).toMatchObject([{ label: 'Payroll' }])
})
