import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestChain, type TestChain } from '../../../../testing/chains/test-chain.ts'
import { anyState } from '../../../../testing/operations/any-state.ts'
import { type EngineFixture, startEngineFixture } from '../../../../testing/operations/engine-fixture.ts'
import type { TestClient } from '../../../../testing/operations/test-client.ts'
import { staffedOrganization } from '../../../../testing/surfaces/core-server.ts'
import { type CoreSurfaceServer, coreSurfaceServer } from '../../../../testing/surfaces/core-surface-server.ts'
import { USDC } from '../../../../testing/units.ts'
import { generateKey } from '../../../identity/index.ts'
import { undocumentedParts } from '../../http/index.ts'
import { coreRoutes } from '../index.ts'

let dev: TestChain
let engine: EngineFixture
let core: CoreSurfaceServer
let plain: CoreSurfaceServer
let staff: Awaited<ReturnType<typeof staffedOrganization>>
let client: TestClient
let opWalletId: number
let key: string
beforeAll(async () => {
  dev = await startTestChain()
  engine = await startEngineFixture(dev)
  core = await coreSurfaceServer(engine, (app, parts) => coreRoutes(app, parts, { preview: true }))
  plain = await coreSurfaceServer(engine, (app, parts) => coreRoutes(app, parts, { preview: false }))
})
afterAll(async () => {
  await core?.close()
  await plain?.close()
  await engine?.close()
  await dev?.stop()
})
beforeEach(async () => {
  staff = await staffedOrganization(core.parts)
  const { organizationId } = staff
  client = await engine.client({ organizationId, usdc: 1_000n * USDC })
  await engine.settle()
  const body = { orgWalletId: client.wallet.walletId, bufferAmount: '100' }
  const added = await core.call('POST', '/api/core/wallets/add-and-monitor', { token: staff.tokens.admin, body })
  opWalletId = added.body.data.id
  key = (await generateKey(core.parts, { organizationId, name: 'Reports' })).apiKey
})

const ask = (path: string, who: object = { key }) => core.call('GET', path, who)
const read = async (path: string) => {
  const answer = await ask(path)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body.data
}
const refusal = (status: number, code: string) => ({ status, body: { code } })
const usdc = (amount: string) => ({ amount, currency: 'USDC' })

test('announced endpoints do not exist without the setting, and a key gets only its own scope', async () => {
  for (const path of [
    '/api/tokens',
    `/api/token-positions/op-wallet/${opWalletId}`,
    '/api/wallets/stats',
    '/api/transactions',
  ])
    expect(await plain.call('GET', path, { key })).toMatchObject(refusal(404, 'NOT_FOUND'))
  for (const path of ['/api/v1/allocations', '/api/core/wallets/stats'])
    expect(await plain.call('GET', path, { key })).toMatchObject(refusal(401, 'UNAUTHORIZED'))
})

test('everything is documented, with the setting and without it', () => {
  const ours =
    / \/api\/(tokens|token-positions|wallets|transactions|v1\/allocations|core\/(org-)?wallets|core\/operations)\b/
  for (const { app } of [core, plain])
    expect(undocumentedParts(app.swagger()).filter((gap) => ours.test(gap))).toEqual([])
})

test('tokens are listed with their addresses, by blockchain in any case', async () => {
  const tokens = await read('/api/tokens')
  const mintAddress = client.usdcAddress
  expect(tokens[0]).toEqual({
    id: 1,
    symbol: 'USDC',
    name: expect.any(String),
    decimals: 6,
    blockchain: 'polygon',
    mintAddress,
    iconUrl: null,
  })
  expect(await read('/api/tokens?blockchain=POLYGON')).toEqual(tokens)
  expect(await read('/api/tokens?blockchain=solana')).toEqual([])
  expect(await ask('/api/tokens?blockchain=arbitrum')).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
})

test('positions, statistics, allocations and operations report what was earned, and agree', async () => {
  const supplied = await client.complete(await client.supply(600n * USDC))
  await dev.increaseTime(30 * 86_400)
  await engine.settle()
  const [position] = await read(`/api/token-positions/op-wallet/${opWalletId}`)
  const { address } = client
  expect(position).toMatchObject({
    opWallet: { id: opWalletId, address },
    token: { symbol: 'USDC', decimals: 6, mintAddress: client.usdcAddress },
    balances: { available: usdc('400.00'), principal: usdc('1000.00') },
    performance: { currentAPY: expect.stringMatching(/^\d+\.\d\d$/) },
  })
  const earned = Number(position.balances.yield.amount)
  expect(earned).toBeGreaterThan(0.5)
  expect(Number(position.balances.allocated.amount)).toBeCloseTo(600 + earned, 6)
  expect(position.performance.lifetimeYield).toEqual(position.balances.yield)

  const stats = await read('/api/wallets/stats')
  expect(await read('/api/core/wallets/stats')).toEqual(stats)
  expect(stats).toMatchObject({
    opWallet: null,
    organization: { id: staff.organizationId },
    balances: {
      totalUsd: position.balances.total.amount,
      availableUsd: '400.00',
      allocatedUsd: position.balances.allocated.amount,
      byToken: [{ token: 'USDC', availableUsd: '400.00' }],
    },
    performance: { totalPrincipalUsd: '1000.00', totalYieldUsd: position.balances.yield.amount },
    allocations: { activeCount: 1, byProvider: [{ protocol: 'aave-v3', count: 1 }] },
  })
  const own = await read(`/api/wallets/stats?opWalletId=${opWalletId}`)
  expect(own).toMatchObject({ opWallet: { id: opWalletId, address, token: 'USDC' }, balances: stats.balances })

  const { allocations, pagination } = await read('/api/v1/allocations')
  expect(pagination).toMatchObject({ total: 1 })
  expect(allocations).toMatchObject([
    {
      opWallet: { id: opWalletId, address },
      venue: { protocol: 'aave-v3' },
      balances: { allocated: position.balances.allocated, principal: usdc('600.00'), yield: position.balances.yield },
      performance: { lifetimeYield: position.balances.yield },
      status: 'ACTIVE',
    },
  ])
  const yearly = ((1 + earned / 600) ** (365 / 30) - 1) * 100
  expect(Number(allocations[0].performance.averageApy)).toBeCloseTo(yearly, 1)
  expect((await ask(`/api/v1/allocations/${allocations[0].id}`)).status).toBe(200)

  const { yieldMetrics } = await read(`/api/core/operations/${supplied.operationId}`)
  expect(yieldMetrics).toMatchObject({ principalDeployed: usdc('600.00'), yieldEarned: position.balances.yield })
  expect(yieldMetrics.daysAllocated).toBeCloseTo(30, 1)
  expect(Number(yieldMetrics.effectiveAPY)).toBeCloseTo(yearly, 1)
  const waiting = await client.supply(1n * USDC)
  expect(await read(`/api/core/operations/${waiting.operationId}`)).toMatchObject({ yieldMetrics: null })

  const { tokens } = await staffedOrganization(core.parts)
  for (const path of [
    `/api/token-positions/op-wallet/${opWalletId}`,
    `/api/wallets/stats?opWalletId=${opWalletId}`,
    `/api/transactions?opWalletId=${opWalletId}`,
  ])
    expect(await ask(path, { token: tokens.owner })).toMatchObject(refusal(404, 'WALLET_NOT_FOUND'))
})

test('the average rate of an allocation counts the principal over time, not what a withdrawal left', async () => {
  await client.complete(await client.supply(600n * USDC))
  for (const days of [1, 28, 1]) {
    await dev.increaseTime(days * 86_400)
    await engine.settle()
  }
  const averageOf = async () => Number((await read('/api/v1/allocations')).allocations[0].performance.averageApy)
  const before = await averageOf()
  await client.complete(await client.unwind(540n * USDC))
  expect(await averageOf()).toBeCloseTo(before, 0)
})

test('a withdrawal of a whole position that has not landed is listed with what it was planned to move', async () => {
  await client.complete(await client.supply(600n * USDC))
  const plan = await client.unwind('full')
  const planned = (await client.operation(plan)).plannedValue!
  await dev.mineAtOnce(false)
  await client.submitAll(plan)
  const [pending] = (await read('/api/transactions?type=UNWIND')).transactions
  await dev.mineAtOnce(true)
  expect(planned).toBeGreaterThanOrEqual(600n * USDC)
  expect(pending).toMatchObject({ status: 'PENDING', operation: { id: plan.operationId } })
  expect(Number(pending.amount.amount)).toBeCloseTo(Number(planned) / Number(USDC), 6)
})

test('an operational wallet is selected by either of its names, and by both only if they match', async () => {
  await engine.settle()
  for (const path of ['/api/wallets/stats', '/api/core/wallets/stats', '/api/transactions']) {
    const named = await read(`${path}?opWalletId=${opWalletId}`)
    expect(await read(`${path}?managedWalletId=${opWalletId}`)).toEqual(named)
    expect(await read(`${path}?opWalletId=${opWalletId}&managedWalletId=${opWalletId}`)).toEqual(named)
    expect(await ask(`${path}?managedWalletId=${2 ** 40}`)).toMatchObject(refusal(404, 'WALLET_NOT_FOUND'))
    const differing = `${path}?opWalletId=${opWalletId}&managedWalletId=${opWalletId + 1}`
    expect(await ask(differing)).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
  }
})

test('the transactions of one operational wallet, and their sums, are of no other wallet', async () => {
  const other = await engine.client({ organizationId: staff.organizationId, usdc: 70n * USDC })
  await engine.settle()
  const body = { orgWalletId: other.wallet.walletId, bufferAmount: '10' }
  const added = await core.call('POST', '/api/core/wallets/add-and-monitor', { token: staff.tokens.admin, body })
  for (const [id, amount] of [
    [opWalletId, '1000.00'],
    [added.body.data.id, '70.00'],
  ]) {
    const { transactions, summary, pagination } = await read(`/api/transactions?opWalletId=${id}`)
    expect(transactions).toMatchObject([{ opWallet: { id }, type: 'INFLOW', amount: usdc(amount) }])
    expect(summary).toMatchObject({
      totalInflowUsd: amount,
      transactionCount: 1,
      byToken: [{ totalInflowUsd: amount }],
    })
    expect(pagination).toMatchObject({ total: 1 })
  }
  expect((await read('/api/transactions')).pagination).toMatchObject({ total: 2 })
})

test('transactions list what operations moved and what moved outside Weir, with sums', async () => {
  const supplied = await client.complete(await client.supply(600n * USDC))
  await client.spend(50n * USDC)
  await engine.settle()
  const { transactions, summary, pagination } = await read('/api/transactions')
  expect(transactions.map(({ type }: { type: string }) => type).sort()).toEqual(['INFLOW', 'SUPPLY', 'TRANSFER_OUT'])
  const supply = transactions.find(({ type }: { type: string }) => type === 'SUPPLY')
  expect(supply).toMatchObject({
    txHash: anyState(supplied.transactions.at(-1)!).txHash,
    blockchain: 'polygon',
    status: 'CONFIRMED',
    opWallet: { id: opWalletId, address: client.address },
    amount: usdc('600.00'),
    direction: 'OUT',
    addresses: { from: client.address, to: null },
    operation: { id: supplied.operationId, status: 'COMPLETED' },
    blockchainDetails: { blockNumber: expect.any(Number) },
  })
  const sums = { totalInflowUsd: '1000.00', totalOutflowUsd: '650.00', netChangeUsd: '350.00', transactionCount: 3 }
  expect(summary).toEqual({ ...sums, byToken: [{ token: 'USDC', ...sums }] })
  expect(pagination).toEqual({ total: 3, limit: 50, offset: 0, hasMore: false })
  expect((await read('/api/transactions?type=transfer_in')).transactions).toMatchObject([
    { type: 'INFLOW', amount: usdc('1000.00'), txHash: null, operation: null },
  ])
  expect(
    (await read(`/api/transactions?type=supply&status=confirmed&token=usdc&opWalletId=${opWalletId}`)).pagination.total,
  ).toBe(1)
  expect((await read('/api/transactions?status=PENDING')).transactions).toEqual([])
  expect((await read('/api/transactions?token=USDT')).transactions).toEqual([])
  const today = engine.clock.now().toISOString().slice(0, 10)
  expect((await read(`/api/transactions?startDate=${today}&endDate=${today}&limit=1`)).pagination).toMatchObject({
    total: 3,
    hasMore: true,
  })
  expect((await read('/api/transactions?endDate=2000-01-01')).pagination.total).toBe(0)
  for (const query of [
    'startDate=2026-02-30',
    'startDate=2026-02-30T00:00:00Z',
    'endDate=2026-04-31T23:59:59.5%2B02:00',
    'endDate=9999-12-31T23:00:00-05:00',
    'startDate=yesterday',
    'type=GIFT',
    'status=DONE',
  ])
    expect(await ask(`/api/transactions?${query}`)).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
})
