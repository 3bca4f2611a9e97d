import { beforeEach, describe, expect, test } from 'vitest'
import { anyState } from '../../../../testing/operations/any-state.ts'
import { BY_KEY } from '../../../../testing/operations/requesters.ts'
import type { TestClient } from '../../../../testing/operations/test-client.ts'
import { staffedOrganization } from '../../../../testing/surfaces/core-server.ts'
import { refusal, useTreasury } from '../../../../testing/surfaces/use-treasury.ts'
import { USDC } from '../../../../testing/units.ts'
import { generateKey } from '../../../identity/index.ts'
import { cancelOperation, checkPendingTransactions } from '../../../operations/index.ts'
import { coreAllocationRoutes } from '../treasury/allocations.ts'
import { operationalWalletRoutes } from '../treasury/operational-wallets.ts'
import { operationDetailRoute } from './operation-detail.ts'
import { coreOperationRoutes } from './operations.ts'

const treasury = useTreasury((app, parts) => {
  operationalWalletRoutes(app, parts)
  coreOperationRoutes(app, parts)
  operationDetailRoute(app, parts, false)
  coreAllocationRoutes(app, parts)
})
let client: TestClient
let opWalletId: number
beforeEach(async () => {
  ;({ client, opWalletId } = await treasury.operationalWallet())
})

const ids = (list: readonly { id: number }[]) => list.map(({ id }) => id)
const names = () => ({ opWalletId, managedWalletId: opWalletId })

describe('the queue', () => {
  test('lists unfinished operations of both surfaces in the terms of core', async () => {
    const { operationId, createdAt } = await client.supply(100n * USDC)
    const answer = await treasury.request('/api/core/operations/queue')
    expect(answer).toMatchObject({ status: 200, headers: { 'x-total-count': '1' } })
    const { intents, count } = answer.body.data
    expect(count).toBe(1)
    expect(intents).toEqual([
      {
        id: operationId,
        type: 'SUPPLY',
        status: 'EXECUTING',
        ...names(),
        walletId: client.wallet.walletId,
        walletAddress: client.address,
        walletLabel: `${client.address.slice(0, 6)}…${client.address.slice(-4)}`,
        blockchain: 'polygon',
        amount: '100.00',
        token: 'USDC',
        executor: 'client',
        origin: 'client',
        requestedBy: BY_KEY,
        createdAt: createdAt.toISOString(),
        estimatedAPY: expect.stringMatching(/^\d+\.\d\d%$/),
        requiredApprovals: 0,
        approvalRule: null,
      },
    ])
    expect(await treasury.read('/api/core/operations/queue?limit=1&offset=1')).toEqual({ intents: [], count: 0 })
  })

  test('does not list an expired operation as waiting', async () => {
    const { operationId } = await client.supply(100n * USDC)
    treasury.engine.clock.advance(200_000)
    expect(await treasury.read('/api/core/operations/queue')).toEqual({ intents: [], count: 0 })
    const { items } = await treasury.read('/api/core/operations/history')
    expect(items).toMatchObject([
      { id: operationId, status: 'FAILED', failureReason: 'EXPIRED', txHash: null, actualAPY: null },
    ])
  })

  test('shows a full withdrawal with the value of the position', async () => {
    await client.complete(await client.supply(100n * USDC))
    const { operationId } = await client.unwind('full')
    const { intents } = await treasury.read('/api/core/operations/queue')
    expect(intents).toMatchObject([{ id: operationId, type: 'UNWIND' }])
    expect(Number(intents[0].amount)).toBeGreaterThanOrEqual(99.99)
  })
})

describe('history and statistics', () => {
  test('keep the value that an ended full withdrawal had, whatever the position is worth later', async () => {
    await client.complete(await client.supply(100n * USDC))
    const { operationId } = await client.unwind('full')
    await cancelOperation(treasury.core.parts, client.scope, operationId)
    const ended = async () => (await treasury.read('/api/core/operations/history?status=ABORTED')).items[0]
    const { amount } = await ended()
    expect(Number(amount)).toBeCloseTo(100, 1)

    await client.complete(await client.supply(50n * USDC))
    expect(await ended()).toMatchObject({ id: operationId, amount })
    await client.complete(await client.unwind('full'))
    expect(await ended()).toMatchObject({ id: operationId, amount })
    expect((await treasury.read(`/api/core/operations/${operationId}`)).amount.amount).toBe(amount)
  })

  test('list finished operations, newest first, by status in any case', async () => {
    const done = await client.complete(await client.supply(100n * USDC))
    const gone = await client.supply(50n * USDC)
    await cancelOperation(treasury.core.parts, client.scope, gone.operationId)
    const waiting = await client.supply(25n * USDC)

    const history = await treasury.read('/api/core/operations/history')
    expect(history).toMatchObject({ total: 2, limit: 50, offset: 0, hasMore: false })
    expect(ids(history.items)).toEqual([gone.operationId, done.operationId])
    expect(history.items[1]).toMatchObject({
      type: 'SUPPLY',
      status: 'COMPLETED',
      ...names(),
      amount: '100.00',
      token: 'USDC',
      txHash: anyState(done.transactions.at(-1)!).txHash,
      completedAt: anyState(done).completedAt.toISOString(),
      failureReason: null,
    })
    expect(history.items[0]).toMatchObject({ status: 'ABORTED', failureReason: 'CANCELLED' })
    expect(ids((await treasury.read('/api/core/operations/history?status=completed')).items)).toEqual([
      done.operationId,
    ])
    expect(ids((await treasury.read('/api/core/operations/history?status=Aborted')).items)).toEqual([gone.operationId])
    for (const status of ['FAILED', 'REJECTED', 'EXECUTING'])
      expect(await treasury.read(`/api/core/operations/history?status=${status}`)).toMatchObject({
        items: [],
        total: 0,
      })
    expect(await treasury.read('/api/core/operations/history?limit=1')).toMatchObject({
      total: 2,
      limit: 1,
      hasMore: true,
    })
    expect(await treasury.read('/api/core/operations/history?limit=1&offset=1')).toMatchObject({
      items: [{ id: done.operationId }],
      hasMore: false,
    })
    expect(await treasury.read('/api/core/operations/history?offset=9')).toMatchObject({
      items: [],
      total: 2,
      hasMore: false,
    })
    for (const query of ['status=BOGUS', 'limit=0', 'limit=101', 'offset=-1', 'limit=x'])
      expect(await treasury.request(`/api/core/operations/history?${query}`)).toMatchObject(
        refusal(400, 'VALIDATION_ERROR'),
      )

    expect(await treasury.read('/api/core/operations/stats')).toEqual({
      totalOperations: 3,
      completedOperations: 1,
      failedOperations: 1,
      rejectedOperations: 0,
      abortedOperations: 1,
      pendingOperations: 1,
      totalDeployed: '100.00',
      averageCompletionTime: '0.0',
      successRate: '50.00%',
    })
    expect((await treasury.read('/api/core/operations/queue')).intents).toMatchObject([{ id: waiting.operationId }])
  })

  test('report the average time to completion, and zeros for an organization without operations', async () => {
    const planned = await client.supply(100n * USDC)
    treasury.engine.clock.advance(12_340)
    await client.complete(planned)
    expect(await treasury.read('/api/core/operations/stats')).toMatchObject({
      averageCompletionTime: '12.3',
      successRate: '100.00%',
    })
    const { tokens } = await staffedOrganization(treasury.core.parts)
    expect((await treasury.request('/api/core/operations/stats', tokens.owner)).body.data).toEqual({
      totalOperations: 0,
      completedOperations: 0,
      failedOperations: 0,
      rejectedOperations: 0,
      abortedOperations: 0,
      pendingOperations: 0,
      totalDeployed: '0.00',
      averageCompletionTime: '0.0',
      successRate: '0.00%',
    })
  })
})

describe('an operation in detail', () => {
  test('shows its steps in order, and its times in both formats', async () => {
    const planned = await client.supply(100n * USDC)
    const path = `/api/core/operations/${planned.operationId}`
    const open = await treasury.read(path)
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
      requestedBy: BY_KEY,
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
    await treasury.engine.settle()
    const half = await treasury.read(path)
    expect(half.steps).toMatchObject([{ status: 'COMPLETED' }, { status: 'EXECUTING' }])
    expect(half.blockchainTransactions).toMatchObject([{ type: 'APPROVE', status: 'CONFIRMED' }])
    const detectedAt = { iso: treasury.engine.clock.now().toISOString(), unix: expect.any(Number) }
    await treasury.dev.withoutMining(async () => {
      await client.submit(planned, await client.sign(supply!))
      const sent = await treasury.read(path)
      expect(sent).toMatchObject({ status: 'CONFIRMING', steps: [{}, { status: 'CONFIRMING' }] })
      expect(sent.blockchainTransactions[1]).toMatchObject({ status: 'PENDING', timestamps: { confirmedAt: null } })
      treasury.engine.clock.advance(20_000)
      await checkPendingTransactions(treasury.engine.parts, treasury.engine.chain)
    })
    treasury.engine.clock.advance(20_000)
    await treasury.engine.settle()
    const done = await treasury.read(path)
    const dual = { iso: expect.any(String), unix: expect.any(Number) }
    expect(done).toMatchObject({
      status: 'COMPLETED',
      steps: [{ status: 'COMPLETED' }, { status: 'COMPLETED' }],
      blockchainTransactions: [
        { txHash: expect.stringMatching(/^0x/), type: 'APPROVE', status: 'CONFIRMED', amount },
        {
          type: 'SUPPLY',
          status: 'CONFIRMED',
          amount,
          blockNumber: expect.any(Number),
          timestamps: { submittedAt: dual, detectedAt, confirmedAt: dual },
        },
      ],
      failureReason: null,
      timestamps: { completedAt: dual },
    })
  })

  test('shows the steps of an ended one as failed, and null without an operational wallet', async () => {
    const other = await treasury.engine.client({ organizationId: treasury.staff.organizationId, usdc: 100n * USDC })
    await treasury.engine.settle()
    const { operationId } = await other.supply(10n * USDC)
    await cancelOperation(treasury.core.parts, other.scope, operationId)
    expect(await treasury.read(`/api/core/operations/${operationId}`)).toMatchObject({
      status: 'ABORTED',
      opWalletId: null,
      managedWalletId: null,
      opWallet: { id: null, address: other.address },
      steps: [{ status: 'FAILED' }, { status: 'FAILED' }],
      failureReason: 'CANCELLED',
    })
  })

  test('is an unknown id to another organization, and readable with a key of its own', async () => {
    const { operationId } = await client.supply(100n * USDC)
    const { tokens } = await staffedOrganization(treasury.core.parts)
    for (const [id, token] of [
      [operationId, tokens.owner],
      [2 ** 40, treasury.staff.tokens.owner],
    ] as const)
      expect(await treasury.request(`/api/core/operations/${id}`, token)).toMatchObject(
        refusal(404, 'OPERATION_NOT_FOUND'),
      )
    expect(await treasury.request('/api/core/operations/0')).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
    const { organizationId } = treasury.staff
    const { apiKey: key } = await generateKey(treasury.core.parts, { organizationId, name: 'Reports' })
    for (const path of ['queue', 'history', 'stats', operationId])
      expect(await treasury.core.call('GET', `/api/core/operations/${path}`, { key })).toMatchObject({ status: 200 })
    expect(await treasury.core.call('GET', '/api/v1/allocations', { key })).toMatchObject(refusal(401, 'UNAUTHORIZED'))
  })
})
