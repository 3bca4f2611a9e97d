import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { TestClient } from '../../../../testing/operations/test-client.ts'
import { LENDING } from '../../../../testing/rebalancing/use-awaited.ts'
import { staffedOrganization } from '../../../../testing/surfaces/core-server.ts'
import { refusal, useTreasury } from '../../../../testing/surfaces/use-treasury.ts'
import { USDC } from '../../../../testing/units.ts'
import { readConfig } from '../../../config.ts'
import { allocationDetailRoute, coreAllocationRoutes } from './allocations.ts'
import { operationalWalletRoutes } from './operational-wallets.ts'
import { withdrawalRoutes } from './withdrawals.ts'

const treasury = useTreasury((app, parts) => {
  operationalWalletRoutes(app, parts)
  coreAllocationRoutes(app, parts)
  allocationDetailRoute(app, parts, false)
  withdrawalRoutes(app, { ...parts, rebalancing: readConfig({}).rebalancing })
})
let client: TestClient
let opWalletId: number
beforeEach(async () => {
  ;({ client, opWalletId } = await treasury.operationalWallet('100'))
})

const post = (url: string, body: object, token = treasury.staff.tokens.admin) =>
  treasury.core.call('POST', url, { token, body })
const stranger = async () => (await staffedOrganization(treasury.core.parts)).tokens.owner

async function position(strategy?: string): Promise<number> {
  await client.complete(await client.supply(600n * USDC, strategy))
  return (await treasury.read('/api/v1/allocations')).allocations[0].id
}

describe('a withdrawal', () => {
  test('moves an amount, or everything', async () => {
    const id = await position()
    const part = await post(`/api/v1/allocations/${id}/withdraw`, { amount: '100.5' })
    expect(part).toMatchObject({
      status: 201,
      body: {
        data: { type: 'UNWIND', status: 'EXECUTING', opWalletId, amount: { amount: '100.50', currency: 'USDC' } },
      },
    })
    expect(part.body.data.warnings).toBeUndefined()
    expect(await post(`/api/v1/allocations/${id}/withdraw`, { full: true })).toMatchObject(
      refusal(409, 'OPERATION_IN_PROGRESS'),
    )
  })

  test('takes the whole position at its value', async () => {
    const id = await position()
    const whole = await post(`/api/v1/allocations/${id}/withdraw`, { full: true })
    expect(Number(whole.body.data.amount.amount)).toBeCloseTo(600, 3)
  })

  test('warns of a fee that the vault keeps', async () => {
    const id = await position(LENDING)
    await treasury.core.parts.db
      .updateTable('strategies')
      .set({ exit_fee_bps: 50 })
      .where('key', '=', LENDING)
      .execute()
    onTestFinished(async () => {
      await treasury.core.parts.db
        .updateTable('strategies')
        .set({ exit_fee_bps: null })
        .where('key', '=', LENDING)
        .execute()
    })
    const warned = await post(`/api/v1/allocations/${id}/withdraw`, { amount: '100' })
    expect(warned).toMatchObject({ status: 201, body: { data: { warnings: [expect.stringContaining('0.50%')] } } })
  })

  test('is rejected for both or neither, for too much, and from a closed or foreign allocation', async () => {
    const id = await position()
    const url = `/api/v1/allocations/${id}/withdraw`
    expect(await post(url, {})).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
    expect(await post(url, { amount: '1', full: true })).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
    expect(await post(url, { full: false })).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
    for (const asked of [{ amount: '600.1' }, { amount: '600.1', full: false }])
      expect(await post(url, asked)).toMatchObject(refusal(400, 'INSUFFICIENT_BALANCE'))
    expect(await post(url, { full: true }, await stranger())).toMatchObject(refusal(404, 'ALLOCATION_NOT_FOUND'))
    await client.complete(await client.unwind('full'))
    expect(await post(url, { full: true })).toMatchObject(refusal(409, 'INVALID_OPERATION_STATUS'))
  })
})

describe('a withdrawal that cannot be paid at once', () => {
  /** A position of 600 USDC in a vault that can pay this many of them. */
  async function lent(tokens: bigint): Promise<number> {
    await treasury.dev.setStrategyState(LENDING, { liquidity: 'return' })
    const id = await position(LENDING)
    await treasury.dev.setStrategyState(LENDING, { liquidity: 'leave' })
    await treasury.dev.setStrategyState(LENDING, { liquidity: 'return', amount: tokens * USDC })
    return id
  }
  const cancel = (id: number, token = treasury.staff.tokens.admin) =>
    treasury.core.call('DELETE', `/api/v1/allocations/${id}/awaited-withdrawal`, { token })

  test('is refused, unless a part is wanted: then it pays the part and awaits the rest', async () => {
    const id = await lent(40n)
    const url = `/api/v1/allocations/${id}/withdraw`
    for (const body of [{ amount: '50' }, { amount: '50', partial: false }])
      expect(await post(url, body)).toMatchObject(refusal(400, 'SIMULATION_FAILED'))
    const awaited = { amount: '50.00', fetched: '0.00', rest: '50.00', requestedAt: expect.any(String) }
    expect(await post(url, { amount: '50', partial: true })).toMatchObject({
      status: 201,
      body: { data: { type: 'UNWIND', status: 'EXECUTING', amount: { amount: '40.00', currency: 'USDC' }, awaited } },
    })
    expect(await treasury.read(`/api/v1/allocations/${id}`)).toMatchObject({ awaitedWithdrawal: awaited })
    const { allocations } = await treasury.read('/api/v1/allocations?status=UNWINDING')
    expect(allocations).toMatchObject([{ id, awaitedWithdrawal: awaited }])
    expect(await treasury.audited('withdrawCoreAllocation')).toMatchObject([{ details: { awaited } }])
  })

  test('not even in part is awaited whole, once, until it is cancelled', async () => {
    const id = await lent(0n)
    const url = `/api/v1/allocations/${id}/withdraw`
    const once = {
      token: treasury.staff.tokens.admin,
      body: { full: true, partial: true },
      idempotencyKey: 'all of it',
    }
    const first = await treasury.core.call('POST', url, once)
    expect(first).toMatchObject({ status: 202 })
    expect(Object.keys(first.body.data)).toEqual(['awaited'])
    expect(first.body.data.awaited).toMatchObject({ amount: null, fetched: '0.00' })
    expect(Number(first.body.data.awaited.rest)).toBeCloseTo(600, 3)
    expect(await treasury.core.call('POST', url, once)).toMatchObject({ status: 202, body: first.body })
    expect(await post(url, { full: true, partial: true })).toMatchObject(refusal(409, 'CONFLICT'))
    expect(await treasury.operationCount()).toBe(1)

    expect(await cancel(id)).toMatchObject({ status: 200, body: { data: { deleted: true } } })
    expect(await cancel(id)).toMatchObject(refusal(409, 'CONFLICT'))
    expect((await treasury.read(`/api/v1/allocations/${id}`)).awaitedWithdrawal).toBeUndefined()
    expect(await treasury.audited('cancelAwaitedWithdrawal')).toMatchObject([{ actorId: treasury.staff.ids.admin }])
  })

  test('is requested and cancelled by admins of the organization', async () => {
    const id = await lent(0n)
    const body = { full: true, partial: true }
    const url = `/api/v1/allocations/${id}/withdraw`
    expect(await post(url, body, treasury.staff.tokens.approver)).toMatchObject(refusal(403, 'FORBIDDEN'))
    expect(await post(url, body, await stranger())).toMatchObject(refusal(404, 'ALLOCATION_NOT_FOUND'))
    await post(url, body)
    expect(await cancel(id, treasury.staff.tokens.approver)).toMatchObject(refusal(403, 'FORBIDDEN'))
    expect(await cancel(id, await stranger())).toMatchObject(refusal(404, 'ALLOCATION_NOT_FOUND'))
    expect((await treasury.read(`/api/v1/allocations/${id}`)).awaitedWithdrawal).toBeDefined()
  })
})
