import { beforeEach, describe, expect, test } from 'vitest'
import type { TestClient } from '../../../../testing/operations/test-client.ts'
import { staffedOrganization } from '../../../../testing/surfaces/core-server.ts'
import { refusal, useTreasury } from '../../../../testing/surfaces/use-treasury.ts'
import { USDC } from '../../../../testing/units.ts'
import { allocationDetailRoute, coreAllocationRoutes } from './allocations.ts'
import { operationalWalletRoutes } from './operational-wallets.ts'

const treasury = useTreasury((app, parts) => {
  operationalWalletRoutes(app, parts)
  coreAllocationRoutes(app, parts)
  allocationDetailRoute(app, parts, false)
})
let client: TestClient
let opWalletId: number
beforeEach(async () => {
  ;({ client, opWalletId } = await treasury.operationalWallet())
})

const ids = (list: readonly { id: number }[]) => list.map(({ id }) => id)
const names = () => ({ opWalletId, managedWalletId: opWalletId })

describe('allocations', () => {
  const list = (query = '') => treasury.read(`/api/v1/allocations${query}`)

  test('are listed with the portfolio, by status, wallet and token', async () => {
    expect(await list()).toEqual({
      allocations: [],
      portfolioSummary: {
        totalDeployed: '0.00',
        totalValue: '0.00',
        totalYieldEarned: '0.00',
        averageAPY: '0.00%',
        activeAllocations: 0,
      },
      pagination: { total: 0, limit: 50, offset: 0, hasMore: false },
    })
    await client.complete(await client.supply(300n * USDC))
    await client.complete(await client.supply(200n * USDC, 'erc4626:polygon:USDC'))
    await treasury.dev.increaseTime(30 * 86_400)
    await treasury.engine.settle()
    const both = await list()
    expect(both.pagination).toEqual({ total: 2, limit: 50, offset: 0, hasMore: false })
    const [vault, aave] = both.allocations
    expect(aave).toMatchObject({
      ...names(),
      token: 'USDC',
      protocol: 'aave-v3',
      allocatedBase: '300.00',
      status: 'ACTIVE',
    })
    expect(vault).toMatchObject({ protocol: 'erc4626', allocatedBase: '200.00' })
    const { address: walletAddress, wallet } = client
    expect(vault).toMatchObject({ walletId: wallet.walletId, walletAddress, blockchain: 'polygon' })
    expect(vault.walletLabel).toBe(`${walletAddress.slice(0, 6)}…${walletAddress.slice(-4)}`)
    expect(aave.strategyId).toBe(treasury.engine.strategy('aave-v3:polygon:USDC').id)
    expect(aave.apy).toMatch(/^\d+\.\d\d%$/)
    for (const { allocatedBase, currentValue, yieldEarned } of both.allocations) {
      expect(Number(currentValue)).toBeGreaterThan(Number(allocatedBase) + 0.1)
      expect(Number(yieldEarned)).toBeCloseTo(Number(currentValue) - Number(allocatedBase), 6)
    }
    const sum = (field: string) =>
      both.allocations.reduce((total: number, each: Record<string, string>) => total + Number(each[field]), 0)
    const { portfolioSummary } = both
    expect(portfolioSummary).toMatchObject({ totalDeployed: '500.00', activeAllocations: 2 })
    expect(Number(portfolioSummary.totalValue)).toBeCloseTo(sum('currentValue'), 6)
    expect(Number(portfolioSummary.totalYieldEarned)).toBeCloseTo(sum('yieldEarned'), 6)

    expect(await list('?limit=1')).toMatchObject({
      allocations: [{ id: vault.id }],
      portfolioSummary,
      pagination: { hasMore: true },
    })
    expect(await list(`?limit=1&before=${vault.id}`)).toMatchObject({
      allocations: [{ id: aave.id }],
      pagination: { total: 2, hasMore: false },
    })
    expect((await list(`?before=${aave.id}`)).allocations).toEqual([])
    expect(
      ids((await list(`?opWalletId=${opWalletId}&managedWalletId=${opWalletId}&token=usdc`)).allocations),
    ).toHaveLength(2)
    expect(await list('?token=USDT')).toMatchObject({ allocations: [], portfolioSummary: { totalDeployed: '0.00' } })
    expect(await list('?status=closed')).toMatchObject({ allocations: [], portfolioSummary: { activeAllocations: 2 } })
    expect(await treasury.request('/api/v1/allocations?token=DAI')).toMatchObject(refusal(404, 'TOKEN_NOT_FOUND'))
    expect(await treasury.request(`/api/v1/allocations?opWalletId=${2 ** 40}`)).toMatchObject(
      refusal(404, 'WALLET_NOT_FOUND'),
    )
    for (const query of ['status=OPEN', `opWalletId=${opWalletId}&managedWalletId=${opWalletId + 1}`, 'limit=101'])
      expect(await treasury.request(`/api/v1/allocations?${query}`)).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
  })

  test('are UNWINDING while a withdrawal is in flight, and CLOSED at zero, with their history', async () => {
    const supplied = await client.complete(await client.supply(300n * USDC))
    const [{ id }] = (await list()).allocations
    const partly = await client.unwind(100n * USDC)
    expect((await list()).allocations).toEqual([])
    expect(await list('?status=UNWINDING')).toMatchObject({
      allocations: [{ id, status: 'UNWINDING', allocatedBase: '300.00' }],
      portfolioSummary: { totalDeployed: '300.00', activeAllocations: 0 },
    })
    expect(await list('?includeUnwinding=true')).toMatchObject({ allocations: [{ id }], pagination: { total: 1 } })
    expect((await list('?includeUnwinding=true&status=active')).allocations).toEqual([])
    await client.complete(partly)
    const [left] = (await list()).allocations
    expect(left).toMatchObject({ id, status: 'ACTIVE' })
    expect(Number(left.allocatedBase)).toBeCloseTo(200, 3)
    const whole = await client.complete(await client.unwind('full'))
    expect((await list()).allocations).toEqual([])
    const closed = (await list('?status=CLOSED')).allocations
    expect(closed).toMatchObject([{ id, allocatedBase: '0.00', currentValue: '0.00', yieldEarned: '0.00' }])
    // No real chain fits two plans of a wallet into one second, but this one would.
    await treasury.dev.increaseTime(10)
    const next = await client.complete(await client.supply(10n * USDC))
    const detail = await treasury.read(`/api/v1/allocations/${id}`)
    expect(ids(detail.operations)).toEqual([whole.operationId, partly.operationId, supplied.operationId])
    const [{ id: reopened }] = (await list()).allocations
    expect(ids((await treasury.read(`/api/v1/allocations/${reopened}`)).operations)).toEqual([next.operationId])
  })

  test('show in detail what they earned in the last day, week and month', async () => {
    await client.complete(await client.supply(300n * USDC))
    const [{ id }] = (await list()).allocations
    const waiting = await client.supply(1n * USDC)
    const { createdAt } = await treasury.read(`/api/v1/allocations/${id}`)
    const ofTheDay = Math.floor(Date.parse(createdAt) / 1_000) % 86_400
    // Two days, with a block just before each midnight, as on an active chain.
    for (const seconds of [Math.max(86_390 - ofTheDay, 1), 86_400, ofTheDay + 10]) {
      await treasury.dev.increaseTime(seconds)
      await treasury.engine.settle()
    }
    const detail = await treasury.read(`/api/v1/allocations/${id}`)
    const label = `${client.address.slice(0, 6)}…${client.address.slice(-4)}`
    const names = { id: client.wallet.walletId, address: client.address, label, blockchain: 'polygon' }
    expect(detail.wallet).toEqual(names)
    expect(ids(detail.operations)).toContain(waiting.operationId)
    const { dailyYield, weeklyYield, monthlyYield } = detail.performance
    expect(Number(monthlyYield)).toBeGreaterThan(0.01)
    expect(weeklyYield).toBe(monthlyYield)
    expect(monthlyYield).toBe(detail.yieldEarned)
    // Whatever the hour at which the two days end, the last day is half of them.
    expect(Number(dailyYield)).toBeCloseTo(Number(weeklyYield) / 2, 3)
    const { tokens } = await staffedOrganization(treasury.core.parts)
    for (const [named, token] of [
      [id, tokens.owner],
      [2 ** 40, treasury.staff.tokens.owner],
    ] as const)
      expect(await treasury.request(`/api/v1/allocations/${named}`, token)).toMatchObject(
        refusal(404, 'ALLOCATION_NOT_FOUND'),
      )
    expect((await treasury.request('/api/v1/allocations', tokens.owner)).body.data.allocations).toEqual([])
    expect(await treasury.request(`/api/v1/allocations?opWalletId=${opWalletId}`, tokens.owner)).toMatchObject(
      refusal(404, 'WALLET_NOT_FOUND'),
    )
  })
})
