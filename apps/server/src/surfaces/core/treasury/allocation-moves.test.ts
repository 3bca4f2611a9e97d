import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { TestClient } from '../../../../testing/operations/test-client.ts'
import { MANUAL_POLICY, setPolicy } from '../../../../testing/rebalancing/operational-wallets.ts'
import { staffedOrganization } from '../../../../testing/surfaces/core-server.ts'
import { refusal, useTreasury } from '../../../../testing/surfaces/use-treasury.ts'
import { USDC } from '../../../../testing/units.ts'
import { readConfig } from '../../../config.ts'
import { updateOperationalWallet } from '../../../wallets/index.ts'
import { operationDecisionRoutes } from '../operations/decisions.ts'
import { allocationMoveRoutes } from './allocation-moves.ts'
import { coreAllocationRoutes } from './allocations.ts'
import { operationalWalletRoutes } from './operational-wallets.ts'

const treasury = useTreasury((app, parts) => {
  operationalWalletRoutes(app, parts)
  coreAllocationRoutes(app, parts)
  operationDecisionRoutes(app, parts)
  allocationMoveRoutes(app, { ...parts, rebalancing: readConfig({}).rebalancing })
})
let client: TestClient
let opWalletId: number
beforeEach(async () => {
  ;({ client, opWalletId } = await treasury.operationalWallet('100'))
})

const post = (url: string, body?: object, token = treasury.staff.tokens.admin) =>
  treasury.core.call('POST', url, { token, ...(body === undefined ? {} : { body }) })
const allocate = (body: object, token?: string) => post('/api/v1/allocations', body, token)
const stranger = async () => (await staffedOrganization(treasury.core.parts)).tokens.owner

describe('a deployment', () => {
  test('reserves the amount, names its target, and is issued to agents', async () => {
    const answer = await allocate({ opWalletId, amount: '500.00', asset: 'usdc' })
    expect(answer.status).toBe(201)
    const { operationId, ...data } = answer.body.data
    expect(data).toEqual({
      reservationId: operationId,
      opWalletId,
      managedWalletId: opWalletId,
      status: 'EXECUTING',
      reservedAmount: { amount: '500.00', currency: 'USDC' },
      shortfall: { amount: '0.00', currency: 'USDC' },
      strategy: {
        id: expect.any(Number),
        name: 'Capped',
        protocol: 'erc4626',
        estimatedAPY: expect.stringMatching(/%$/),
      },
    })
  })

  test('goes to the requested strategy, under either name of the wallet', async () => {
    const strategyId = treasury.engine.strategy('aave-v3:polygon:USDC').id
    const answer = await allocate({ managedWalletId: opWalletId, opWalletId, amount: '500', asset: 'USDC', strategyId })
    expect(answer.body.data.strategy.id).toBe(strategyId)
  })

  test.each([
    ['more than is above the buffer', { amount: '900.000001' }, 400, 'INSUFFICIENT_BALANCE'],
    ['nothing', { amount: '0' }, 400, 'VALIDATION_ERROR'],
    ['finer than the token', { amount: '1.0000001' }, 400, 'VALIDATION_ERROR'],
    ['a negative amount', { amount: '-1' }, 400, 'VALIDATION_ERROR'],
    ['a number', { amount: 5 }, 400, 'VALIDATION_ERROR'],
    ['another token', { asset: 'USDT' }, 400, 'INVALID_TOKEN_SYMBOL'],
    ['an unknown token', { asset: 'DOGE' }, 400, 'INVALID_TOKEN_SYMBOL'],
    ['two wallets', { managedWalletId: 1_000_000 }, 400, 'VALIDATION_ERROR'],
    ['an unknown wallet', { opWalletId: 1_000_000 }, 404, 'WALLET_NOT_FOUND'],
    ['an unknown strategy', { strategyId: 1_000_000 }, 404, 'STRATEGY_NOT_FOUND'],
    ['a strategy before the token', { strategyId: 1_000_000, asset: 'DOGE' }, 404, 'STRATEGY_NOT_FOUND'],
    ['a strategy before the amount', { strategyId: 1_000_000, amount: '0' }, 404, 'STRATEGY_NOT_FOUND'],
  ])('is rejected and changes nothing: %s', async (_, change, status, code) => {
    const body = { opWalletId, amount: '10', asset: 'USDC', ...change }
    expect(await allocate(body)).toMatchObject(refusal(status, code))
    expect(await treasury.operationCount()).toBe(0)
  })

  test('a deployment in a paused strategy is rejected for that, whatever its token', async () => {
    const { id: strategyId } = treasury.engine.strategy('aave-v3:polygon:USDT')
    const body = { opWalletId, amount: '10', asset: 'USDC', strategyId }
    expect(await allocate(body)).toMatchObject(refusal(400, 'TOKEN_MISMATCH'))
    const set = (status: 'active' | 'paused') =>
      treasury.engine.db.updateTable('strategies').set({ status }).where('id', '=', strategyId).execute()
    await set('paused')
    onTestFinished(() => void set('active'))
    expect(await allocate(body)).toMatchObject(refusal(400, 'STRATEGY_NOT_ACTIVE'))
  })

  test('rejected for insufficient balance reports the balance, in decimals', async () => {
    const answer = await allocate({ opWalletId, amount: '1000', asset: 'USDC' })
    expect(answer.body.details).toEqual({ available: '900.00', requested: '1000.00', shortfall: '100.00' })
    const wrong = await allocate({ opWalletId, amount: '1', asset: 'USDT' })
    expect(wrong.body.details).toEqual({ availableTokens: ['USDC'], requested: 'USDT' })
  })

  test('rejected for its size reports the bounds in decimals: of the strategy, or the widest of all', async () => {
    const strategyId = treasury.engine.strategy('erc4626:polygon:USDC:capped').id
    const bounds = async (body: object) => {
      const answer = await allocate({ opWalletId, asset: 'USDC', ...body })
      expect(answer).toMatchObject(refusal(400, 'AMOUNT_OUT_OF_BOUNDS'))
      return answer.body.details
    }
    expect(await bounds({ amount: '1', strategyId })).toEqual({ minDeposit: '2.00', maxDeposit: '100000.00' })
    expect(await bounds({ amount: '0.5' })).toEqual({ minDeposit: '1.00', maxDeposit: null })
  })

  test('while another operation moves the money is rejected for that, not for insufficient balance', async () => {
    await allocate({ opWalletId, amount: '500', asset: 'USDC' })
    await treasury.dev.included(await client.spend(800n * USDC))
    const body = { opWalletId, amount: '300', asset: 'USDC' }
    expect(await allocate(body)).toMatchObject(refusal(409, 'OPERATION_IN_PROGRESS'))
  })

  test('requires an admin of the organization, runs one at a time, and once per idempotency key', async () => {
    const body = { opWalletId, amount: '10', asset: 'USDC' }
    expect(await allocate(body, treasury.staff.tokens.approver)).toMatchObject(refusal(403, 'FORBIDDEN'))
    expect(await allocate(body, await stranger())).toMatchObject(refusal(404, 'WALLET_NOT_FOUND'))
    const once = { token: treasury.staff.tokens.admin, body, idempotencyKey: 'deploy once' }
    const first = await treasury.core.call('POST', '/api/v1/allocations', once)
    const again = await treasury.core.call('POST', '/api/v1/allocations', once)
    expect(again).toMatchObject({ status: 201, body: first.body, headers: { 'idempotency-replayed': 'true' } })
    expect(await allocate(body)).toMatchObject(refusal(409, 'OPERATION_IN_PROGRESS'))
    expect(await treasury.operationCount()).toBe(1)
  })
})

describe('a decision', () => {
  async function waiting(): Promise<number> {
    await setPolicy(treasury.engine, treasury.staff.organizationId, { ...MANUAL_POLICY, requiredApprovals: 2 })
    const answer = await allocate({ opWalletId, amount: '500', asset: 'USDC' })
    expect(answer.body.data.status).toBe('PENDING_APPROVAL')
    return answer.body.data.operationId
  }

  test('by two people issues the operation to agents', async () => {
    const id = await waiting()
    const url = `/api/core/operations/${id}/approve`
    const first = {
      id,
      status: 'PENDING_APPROVAL',
      approvedAt: null,
      approvals: 1,
      requiredApprovals: 2,
      signed: false,
    }
    for (const _ of [1, 2])
      expect((await post(url, undefined, treasury.staff.tokens.approver)).body.data).toEqual(first)
    const second = await post(url, undefined, treasury.staff.tokens.owner)
    expect(second.body.data).toEqual({ ...first, status: 'EXECUTING', approvals: 2, approvedAt: expect.any(String) })
    expect(await post(url)).toMatchObject(refusal(409, 'INVALID_OPERATION_STATUS'))
  })

  test('that rejects is final', async () => {
    const id = await waiting()
    const rejected = await post(`/api/core/operations/${id}/reject`, undefined, treasury.staff.tokens.approver)
    expect(rejected).toMatchObject({
      status: 200,
      body: { data: { id, status: 'REJECTED', rejectedAt: expect.any(String) } },
    })
    expect(await post(`/api/core/operations/${id}/approve`)).toMatchObject(refusal(409, 'INVALID_OPERATION_STATUS'))
    expect(await post(`/api/core/operations/${id}/reject`)).toMatchObject(refusal(409, 'INVALID_OPERATION_STATUS'))
  })

  test('requires an approver of the organization', async () => {
    const id = await waiting()
    for (const verb of ['approve', 'reject']) {
      const url = `/api/core/operations/${id}/${verb}`
      expect(await post(url, undefined, treasury.staff.tokens.viewer)).toMatchObject(refusal(403, 'FORBIDDEN'))
      expect(await post(url, undefined, await stranger())).toMatchObject(refusal(404, 'OPERATION_NOT_FOUND'))
    }
  })

  test('that comes after the buffer was raised aborts the operation instead of changing it', async () => {
    const id = await waiting()
    await updateOperationalWallet(treasury.engine.parts, {
      organizationId: treasury.staff.organizationId,
      opWalletId,
      buffer: 900n * USDC,
    })
    await post(`/api/core/operations/${id}/approve`, undefined, treasury.staff.tokens.approver)
    expect(await post(`/api/core/operations/${id}/approve`)).toMatchObject(refusal(409, 'INVALID_OPERATION_STATUS'))
    const { state } = await treasury.engine.db
      .selectFrom('operations')
      .select('state')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(state).toBe('ABORTED')
    const told = await treasury.audited('approveOperation')
    expect(told.map(({ actorId, details }) => [actorId, details?.status])).toEqual([
      [treasury.staff.ids.approver, 'PENDING_APPROVAL'],
      [treasury.staff.ids.admin, 'ABORTED'],
    ])
  })
})
