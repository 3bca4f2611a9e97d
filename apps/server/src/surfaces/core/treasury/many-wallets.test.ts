import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeEach, describe, expect, test } from 'vitest'
import { staffedOrganization } from '../../../../testing/surfaces/core-server.ts'
import { refusal, useTreasury } from '../../../../testing/surfaces/use-treasury.ts'
import { operationalWalletRoutes } from './operational-wallets.ts'
import { orgWalletRoutes } from './org-wallets.ts'

const treasury = useTreasury((app, parts) => {
  orgWalletRoutes(app, parts)
  operationalWalletRoutes(app, parts)
})

interface Made {
  readonly id: number
  readonly address: string
  readonly opWalletId: number
}

const newAddress = () => privateKeyToAccount(generatePrivateKey()).address
const made: Made[] = []
async function make(label: string | undefined, token: string, bufferAmount = '0'): Promise<void> {
  const wallet = { address: newAddress(), blockchain: 'polygon', label }
  const { id, address } = (await treasury.send('POST', '/api/core/org-wallets', wallet)).body.data
  const monitor = { orgWalletId: id, token, bufferAmount }
  const { opWalletId } = (await treasury.send('POST', '/api/core/wallets/add-and-monitor', monitor)).body.data
  made.push({ id, address, opWalletId })
}
beforeEach(async () => {
  made.length = 0
  await make('Payroll 100%', 'USDC', '25')
  await make('Payouts', 'USDT')
  await make(undefined, 'USDC')
})

/** The ids of a list, and how many match. */
async function listed(path: string) {
  const { headers, body } = await treasury.request(path)
  return { ids: (body.data as { id: number }[]).map(({ id }) => id), total: Number(headers['x-total-count']) }
}
const monitored = (query: string) => listed(`/api/core/wallets/monitored?${query}`)
const wallets = (query: string) => listed(`/api/core/wallets?${query}`)

describe('lists of wallets', () => {
  test('find them by what their label or address begins with, in any case', async () => {
    const [payroll, payouts, nameless] = made as [Made, Made, Made]
    const cases: [text: string, found: Made[]][] = [
      ['pay', [payouts, payroll]],
      ['PAYR', [payroll]],
      ['Payroll 100%', [payroll]],
      ['%', []],
      ['Pay_', []],
      ['outs', []],
      [nameless.address.toLowerCase().slice(0, 20), [nameless]],
      [payouts.address, [payouts]],
    ]
    for (const [text, found] of cases) {
      const query = `q=${encodeURIComponent(text)}`
      expect(await wallets(query), text).toEqual({ ids: found.map(({ id }) => id), total: found.length })
      const opIds = found.map(({ opWalletId }) => opWalletId)
      expect(await monitored(query), text).toEqual({ ids: opIds, total: found.length })
    }
    expect(await treasury.request('/api/core/wallets?q=')).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
  })

  test('filter by wallet, chain, token and a missing buffer', async () => {
    const [payroll, payouts] = made as [Made, Made, Made]
    expect((await monitored(`orgWalletId=${payouts.id}`)).ids).toEqual([payouts.opWalletId])
    expect((await monitored('token=usdt')).ids).toEqual([payouts.opWalletId])
    expect((await monitored('belowBuffer=true')).ids).toEqual([payroll.opWalletId])
    expect(await monitored('belowBuffer=false')).toMatchObject({ total: 3 })
    expect(await monitored('blockchain=Polygon')).toMatchObject({ total: 3 })
    expect(await monitored('blockchain=base')).toEqual({ ids: [], total: 0 })
    expect(await wallets('blockchain=base')).toEqual({ ids: [], total: 0 })
    const refusals = { 'blockchain=x': 'VALIDATION_ERROR', 'blockchain=': 'VALIDATION_ERROR' }
    for (const [query, code] of Object.entries(refusals))
      expect(await treasury.request(`/api/core/wallets/monitored?${query}`)).toMatchObject(refusal(400, code))
    expect(await treasury.request('/api/core/wallets/monitored?token=DAI')).toMatchObject(
      refusal(404, 'TOKEN_NOT_FOUND'),
    )
    const ids = { id: payroll.opWalletId }
    await treasury.send('PUT', `/api/core/wallets/monitored/${ids.id}/buffer-settings`, { enableYield: false })
    expect((await monitored('belowBuffer=true')).ids).toEqual([])
  })

  test('are read to their end by id, whatever is added meanwhile, and count every match on each page', async () => {
    const [payroll, payouts, nameless] = made as [Made, Made, Made]
    const ends = [
      { read: monitored, first: [nameless.opWalletId, payouts.opWalletId], last: payroll.opWalletId },
      { read: wallets, first: [nameless.id, payouts.id], last: payroll.id },
    ]
    for (const { read, first } of ends) expect(await read('limit=2')).toEqual({ ids: first, total: 3 })
    await make('New', 'USDC')
    for (const { read, first, last } of ends) {
      expect(await read(`limit=2&before=${first[1]}`)).toEqual({ ids: [last], total: 4 })
      expect(await read(`limit=2&before=${last}`)).toEqual({ ids: [], total: 4 })
    }
  })

  test('say for which tokens a wallet is operational', async () => {
    const [payroll] = made as [Made, Made, Made]
    const second = { orgWalletId: payroll.id, token: 'USDT' }
    const { opWalletId } = (await treasury.send('POST', '/api/core/wallets/add-and-monitor', second)).body.data
    await treasury.send('POST', '/api/core/org-wallets', {
      address: newAddress(),
      blockchain: 'polygon',
      label: 'Idle',
    })
    const [idle] = await treasury.read('/api/core/wallets?q=idle')
    expect(idle.opWallets).toEqual([])
    const tokens = [
      { opWalletId: payroll.opWalletId, token: 'USDC' },
      { opWalletId, token: 'USDT' },
    ]
    expect(await treasury.read('/api/core/wallets?q=payroll')).toMatchObject([{ opWallets: tokens }])
    expect(await treasury.read(`/api/core/wallets/${payroll.id}`)).toMatchObject({
      id: payroll.id,
      label: 'Payroll 100%',
      opWallets: tokens,
    })
  })
})

test('one operational wallet is read by its id, and another organization sees none of it', async () => {
  const [payroll] = made as [Made, Made, Made]
  const [entry] = await treasury.read('/api/core/wallets/monitored?q=payroll')
  expect(await treasury.read(`/api/core/wallets/monitored/${payroll.opWalletId}`)).toEqual(entry)
  const stranger = (await staffedOrganization(treasury.core.parts)).tokens.owner
  const paths = [`/api/core/wallets/monitored/${payroll.opWalletId}`, `/api/core/wallets/${payroll.id}`]
  for (const path of [...paths, `/api/core/wallets/monitored/${2 ** 40}`, `/api/core/wallets/${2 ** 40}`])
    expect(await treasury.request(path, stranger)).toMatchObject(refusal(404, 'WALLET_NOT_FOUND'))
  for (const path of [`/api/core/wallets/monitored?orgWalletId=${payroll.id}`, '/api/core/wallets?q=payroll'])
    expect((await treasury.request(path, stranger)).body.data).toEqual([])
})
