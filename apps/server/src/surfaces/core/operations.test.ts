import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { staffedOrganization } from '../../../testing/core-server.ts'
import { type CoreSurface, coreSurface } from '../../../testing/core-surface.ts'
import {
  type Client,
  type MainJob,
  startMainJob,
  startTestChain,
  type TestChain,
  USDC,
} from '../../../testing/main-job.ts'
import { generateKey } from '../../identity/index.ts'
import { cancelOperation } from '../../operations/index.ts'
import { allocationDetailRoute, coreAllocationRoutes } from './allocations.ts'
import { monitoredWalletRoutes } from './monitored-wallets.ts'
import { operationDetailRoute } from './operation-detail.ts'
import { coreOperationRoutes } from './operations.ts'

let dev: TestChain
let job: MainJob
let core: CoreSurface
let staff: Awaited<ReturnType<typeof staffedOrganization>>
let client: Client
let opWalletId: number
beforeAll(async () => {
  dev = await startTestChain()
  job = await startMainJob(dev)
  core = await coreSurface(job, (app, parts) => {
    monitoredWalletRoutes(app, parts)
    coreOperationRoutes(app, parts)
    operationDetailRoute(app, parts, false)
    coreAllocationRoutes(app, parts)
    allocationDetailRoute(app, parts, false)
  })
})
afterAll(async () => {
  await core?.close()
  await job?.close()
  await dev?.stop()
})
beforeEach(async () => {
  staff = await staffedOrganization(core.parts)
  client = await job.client({ organizationId: staff.organizationId, usdc: 1_000n * USDC })
  await job.settle()
  const body = { orgWalletId: client.wallet.walletId }
  const added = await core.call('POST', '/api/core/wallets/add-and-monitor', { token: staff.tokens.admin, body })
  opWalletId = added.body.data.id
})

const ask = (path: string, token = staff.tokens.viewer) => core.call('GET', path, { token })
const read = async (path: string) => {
  const answer = await ask(path)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body.data
}
const refusal = (status: number, code: string) => ({ status, body: { code } })
const ids = (list: readonly { id: number }[]) => list.map(({ id }) => id)
const names = () => ({ opWalletId, managedWalletId: opWalletId })

describe('the queue', () => {
  test('has what is not finished, planned on either surface, in the words of core', async () => {
    const { operationId, createdAt } = await client.supply(100n * USDC)
    const answer = await ask('/api/core/operations/queue')
    expect(answer).toMatchObject({ status: 200, headers: { 'x-total-count': '1' } })
    const { intents, count } = answer.body.data
    expect(count).toBe(1)
    expect(intents).toEqual([
      {
        id: operationId,
        type: 'SUPPLY',
        status: 'EXECUTING',
        ...names(),
        amount: '100.00',
        token: 'USDC',
        executor: 'client',
        origin: 'client',
        createdAt: createdAt.toISOString(),
        estimatedAPY: expect.stringMatching(/^\d+\.\d\d%$/),
      },
    ])
    expect(await read('/api/core/operations/queue?limit=1&offset=1')).toEqual({ intents: [], count: 0 })
  })

  test('does not show as waiting what has expired', async () => {
    const { operationId } = await client.supply(100n * USDC)
    job.clock.advance(200_000)
    expect(await read('/api/core/operations/queue')).toEqual({ intents: [], count: 0 })
    const { items } = await read('/api/core/operations/history')
    expect(items).toMatchObject([
      { id: operationId, status: 'FAILED', failureReason: 'EXPIRED', txHash: null, actualAPY: null },
    ])
  })

  test('shows a whole withdrawal with what the position is worth', async () => {
    await client.finish(await client.supply(100n * USDC))
    const { operationId } = await client.unwind('full')
    const { intents } = await read('/api/core/operations/queue')
    expect(intents).toMatchObject([{ id: operationId, type: 'UNWIND' }])
    expect(Number(intents[0].amount)).toBeGreaterThanOrEqual(99.99)
  })
})

describe('history and statistics', () => {
  test('have what is finished, newest first, by status in any case', async () => {
    const done = await client.finish(await client.supply(100n * USDC))
    const gone = await client.supply(50n * USDC)
    await cancelOperation(core.parts, client.sight, gone.operationId)
    const waiting = await client.supply(25n * USDC)

    const history = await read('/api/core/operations/history')
    expect(history).toMatchObject({ total: 2, limit: 50, offset: 0, hasMore: false })
    expect(ids(history.items)).toEqual([gone.operationId, done.operationId])
    expect(history.items[1]).toMatchObject({
      type: 'SUPPLY',
      status: 'COMPLETED',
      ...names(),
      amount: '100.00',
      token: 'USDC',
      txHash: done.transactions.at(-1)!.txHash,
      completedAt: done.completedAt!.toISOString(),
      failureReason: null,
    })
    expect(history.items[0]).toMatchObject({ status: 'ABORTED', failureReason: 'CANCELLED' })
    expect(ids((await read('/api/core/operations/history?status=completed')).items)).toEqual([done.operationId])
    expect(ids((await read('/api/core/operations/history?status=Aborted')).items)).toEqual([gone.operationId])
    for (const status of ['FAILED', 'REJECTED', 'EXECUTING'])
      expect(await read(`/api/core/operations/history?status=${status}`)).toMatchObject({ items: [], total: 0 })
    expect(await read('/api/core/operations/history?limit=1')).toMatchObject({ total: 2, limit: 1, hasMore: true })
    expect(await read('/api/core/operations/history?limit=1&offset=1')).toMatchObject({
      items: [{ id: done.operationId }],
      hasMore: false,
    })
    expect(await read('/api/core/operations/history?offset=9')).toMatchObject({ items: [], total: 2, hasMore: false })
    for (const query of ['status=BOGUS', 'limit=0', 'limit=101', 'offset=-1', 'limit=x'])
      expect(await ask(`/api/core/operations/history?${query}`)).toMatchObject(refusal(400, 'VALIDATION_ERROR'))

    expect(await read('/api/core/operations/stats')).toEqual({
      totalOperations: 3,
      completedOperations: 1,
      failedOperations: 1,
      pendingOperations: 1,
      totalDeployed: '100.00',
      averageCompletionTime: '0.0',
      successRate: '50.00%',
    })
    expect((await read('/api/core/operations/queue')).intents).toMatchObject([{ id: waiting.operationId }])
  })

  test('tell how long completion took, and nothing of an organization that has done nothing', async () => {
    const planned = await client.supply(100n * USDC)
    job.clock.advance(12_340)
    await client.finish(planned)
    expect(await read('/api/core/operations/stats')).toMatchObject({
      averageCompletionTime: '12.3',
      successRate: '100.00%',
    })
    const { tokens } = await staffedOrganization(core.parts)
    expect((await ask('/api/core/operations/stats', tokens.owner)).body.data).toEqual({
      totalOperations: 0,
      completedOperations: 0,
      failedOperations: 0,
      pendingOperations: 0,
      totalDeployed: '0.00',
      averageCompletionTime: '0.0',
      successRate: '0.00%',
    })
  })
})

describe('an operation in detail', () => {
  test('tells its steps from the first to the last, and its times in both forms', async () => {
    const planned = await client.supply(100n * USDC)
    const path = `/api/core/operations/${planned.operationId}`
    const open = await read(path)
    const amount = { amount: '100.00', currency: 'USDC' }
    const provider = { name: expect.any(String), protocol: 'aave-v3' }
    const [approval, supply] = planned.transactions
    const iso = planned.createdAt.toISOString()
    expect(open).toMatchObject({
      id: planned.operationId,
      type: 'SUPPLY',
      status: 'EXECUTING',
      ...names(),
      opWallet: { id: opWalletId, address: client.address, blockchain: 'POLYGON' },
      walletId: client.wallet.walletId,
      token: { symbol: 'USDC', decimals: 6, mintAddress: client.usdcAddress },
      amount,
      steps: [
        { id: approval!.transactionId, type: 'APPROVE_TOKEN', status: 'EXECUTING', provider, amount },
        { id: supply!.transactionId, type: 'SUPPLY_TO_PROVIDER', status: 'PENDING', provider, amount },
      ],
      blockchainTransactions: [],
      executor: 'client',
      origin: 'client',
      reasons: null,
      requiredApprovals: 0,
      timestamps: {
        createdAt: { iso, unix: Math.floor(planned.createdAt.getTime() / 1_000) },
        approvedAt: null,
        rejectedAt: null,
        completedAt: null,
      },
    })

    await client.submit(planned, await client.sign(approval!))
    await job.settle()
    const half = await read(path)
    expect(half.steps).toMatchObject([{ status: 'COMPLETED' }, { status: 'EXECUTING' }])
    expect(half.blockchainTransactions).toMatchObject([{ type: 'APPROVE', status: 'CONFIRMED' }])
    await dev.withoutMining(async () => {
      await client.submit(planned, await client.sign(supply!))
      const sent = await read(path)
      expect(sent).toMatchObject({ status: 'CONFIRMING', steps: [{}, { status: 'CONFIRMING' }] })
      expect(sent.blockchainTransactions[1]).toMatchObject({ status: 'PENDING', timestamps: { confirmedAt: null } })
    })
    await job.settle()
    const done = await read(path)
    const dual = { iso: expect.any(String), unix: expect.any(Number) }
    expect(done).toMatchObject({
      status: 'COMPLETED',
      steps: [{ status: 'COMPLETED' }, { status: 'COMPLETED' }],
      blockchainTransactions: [
        { txHash: expect.stringMatching(/^0x/), type: 'APPROVE', status: 'CONFIRMED', amount },
        { type: 'SUPPLY', status: 'CONFIRMED', amount, timestamps: { detectedAt: dual, confirmedAt: dual } },
      ],
      failureReason: null,
      timestamps: { completedAt: dual },
    })
  })

  test('tells of one that ended that its steps failed, and names no operational wallet where there is none', async () => {
    const other = await job.client({ organizationId: staff.organizationId, usdc: 100n * USDC })
    await job.settle()
    const { operationId } = await other.supply(10n * USDC)
    await cancelOperation(core.parts, other.sight, operationId)
    expect(await read(`/api/core/operations/${operationId}`)).toMatchObject({
      status: 'ABORTED',
      opWalletId: null,
      managedWalletId: null,
      opWallet: { id: null, address: other.address },
      steps: [{ status: 'FAILED' }, { status: 'FAILED' }],
      failureReason: 'CANCELLED',
    })
  })

  test('answers another organization as an unknown id, and a key of its own', async () => {
    const { operationId } = await client.supply(100n * USDC)
    const { tokens } = await staffedOrganization(core.parts)
    for (const [id, token] of [
      [operationId, tokens.owner],
      [2 ** 40, staff.tokens.owner],
    ] as const)
      expect(await ask(`/api/core/operations/${id}`, token)).toMatchObject(refusal(404, 'OPERATION_NOT_FOUND'))
    expect(await ask('/api/core/operations/0')).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
    const { organizationId } = staff
    const { apiKey: key } = await generateKey(core.parts, { organizationId, name: 'Reports' })
    for (const path of ['queue', 'history', 'stats', operationId])
      expect(await core.call('GET', `/api/core/operations/${path}`, { key })).toMatchObject({ status: 200 })
    expect(await core.call('GET', '/api/v1/allocations', { key })).toMatchObject(refusal(401, 'UNAUTHORIZED'))
  })
})

describe('allocations', () => {
  const list = (query = '') => read(`/api/v1/allocations${query}`)

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
    await client.finish(await client.supply(300n * USDC))
    await client.finish(await client.supply(200n * USDC, 'erc4626:polygon:USDC'))
    await dev.increaseTime(30 * 86_400)
    await job.settle()
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
    expect(aave.strategyId).toBe(job.strategy('aave-v3:polygon:USDC').id)
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
    expect(
      ids((await list(`?opWalletId=${opWalletId}&managedWalletId=${opWalletId}&token=usdc`)).allocations),
    ).toHaveLength(2)
    expect(await list('?token=USDT')).toMatchObject({ allocations: [], portfolioSummary: { totalDeployed: '0.00' } })
    expect(await list('?status=closed')).toMatchObject({ allocations: [], portfolioSummary: { activeAllocations: 2 } })
    expect(await ask('/api/v1/allocations?token=DAI')).toMatchObject(refusal(404, 'TOKEN_NOT_FOUND'))
    expect(await ask(`/api/v1/allocations?opWalletId=${2 ** 40}`)).toMatchObject(refusal(404, 'WALLET_NOT_FOUND'))
    for (const query of ['status=OPEN', `opWalletId=${opWalletId}&managedWalletId=${opWalletId + 1}`, 'limit=101'])
      expect(await ask(`/api/v1/allocations?${query}`)).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
  })

  test('are UNWINDING while a withdrawal is on its way, and CLOSED at zero, with their history', async () => {
    const supplied = await client.finish(await client.supply(300n * USDC))
    const [{ id }] = (await list()).allocations
    const partly = await client.unwind(100n * USDC)
    expect((await list()).allocations).toEqual([])
    expect(await list('?status=UNWINDING')).toMatchObject({
      allocations: [{ id, status: 'UNWINDING', allocatedBase: '300.00' }],
      portfolioSummary: { totalDeployed: '300.00', activeAllocations: 0 },
    })
    await client.finish(partly)
    const [left] = (await list()).allocations
    expect(left).toMatchObject({ id, status: 'ACTIVE' })
    expect(Number(left.allocatedBase)).toBeCloseTo(200, 3)
    const whole = await client.finish(await client.unwind('full'))
    expect((await list()).allocations).toEqual([])
    const closed = (await list('?status=CLOSED')).allocations
    expect(closed).toMatchObject([{ id, allocatedBase: '0.00', currentValue: '0.00', yieldEarned: '0.00' }])
    // No chain takes two plans of a wallet in one second, but this one would.
    await dev.increaseTime(10)
    const next = await client.finish(await client.supply(10n * USDC))
    const detail = await read(`/api/v1/allocations/${id}`)
    expect(ids(detail.operations)).toEqual([whole.operationId, partly.operationId, supplied.operationId])
    const [{ id: reopened }] = (await list()).allocations
    expect(ids((await read(`/api/v1/allocations/${reopened}`)).operations)).toEqual([next.operationId])
  })

  test('in detail tell what they earned in the last day, week and month', async () => {
    await client.finish(await client.supply(300n * USDC))
    const [{ id }] = (await list()).allocations
    const waiting = await client.supply(1n * USDC)
    await dev.increaseTime(2 * 86_400)
    await job.settle()
    const detail = await read(`/api/v1/allocations/${id}`)
    expect(detail.wallet).toEqual({ id: client.wallet.walletId, address: client.address, blockchain: 'polygon' })
    expect(ids(detail.operations)).toContain(waiting.operationId)
    const { dailyYield, weeklyYield, monthlyYield } = detail.performance
    expect(Number(monthlyYield)).toBeGreaterThan(0.01)
    expect(weeklyYield).toBe(monthlyYield)
    expect(monthlyYield).toBe(detail.yieldEarned)
    expect(Number(dailyYield)).toBeLessThanOrEqual(Number(weeklyYield))
    const { tokens } = await staffedOrganization(core.parts)
    for (const [named, token] of [
      [id, tokens.owner],
      [2 ** 40, staff.tokens.owner],
    ] as const)
      expect(await ask(`/api/v1/allocations/${named}`, token)).toMatchObject(refusal(404, 'ALLOCATION_NOT_FOUND'))
    expect((await ask('/api/v1/allocations', tokens.owner)).body.data.allocations).toEqual([])
    expect(await ask(`/api/v1/allocations?opWalletId=${opWalletId}`, tokens.owner)).toMatchObject(
      refusal(404, 'WALLET_NOT_FOUND'),
    )
  })
})
