import { beforeEach, expect, test } from 'vitest'
import type { TestClient } from '../../../../testing/operations/test-client.ts'
import { createOperationalWallet } from '../../../../testing/rebalancing/operational-wallets.ts'
import { refusal, useTreasury } from '../../../../testing/surfaces/use-treasury.ts'
import { USDC } from '../../../../testing/units.ts'
import { readConfig } from '../../../config.ts'
import { allocationMoveRoutes } from './allocation-moves.ts'
import { rebalancePreviewRoute } from './rebalance-preview.ts'
import { strategyCapRoutes } from './strategy-caps.ts'

const treasury = useTreasury((app, parts) => {
  const rebalancer = { ...parts, rebalancing: readConfig({}).rebalancing }
  allocationMoveRoutes(app, rebalancer)
  rebalancePreviewRoute(app, rebalancer)
  strategyCapRoutes(app, rebalancer)
})
let client: TestClient
let opWalletId: number
let strategyId: number
beforeEach(async () => {
  const { engine, staff } = treasury
  client = await engine.client({ organizationId: staff.organizationId, usdc: 1_000n * USDC })
  await engine.settle()
  ;({ opWalletId } = await createOperationalWallet(engine, client, 100n * USDC))
  strategyId = engine.strategy('erc4626:polygon:USDC:capped').id
})

const set = (maxShare: string | null, token = treasury.staff.tokens.admin) =>
  treasury.send('PUT', `/api/core/strategy-caps/${strategyId}`, { maxShare }, { token })

/** The strategies that the rebalancer would choose, with amounts. */
async function moves(): Promise<[string, string][]> {
  const { body } = await treasury.send('POST', `/api/core/wallets/monitored/${opWalletId}/rebalance-preview`, {})
  return body.data.moves.map(({ to, amount }: { to: { name: string }; amount: string }) => [to.name, amount])
}

test('the rebalancer keeps to the organization’s cap on a strategy', async () => {
  expect(await set('101')).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
  expect(await set('20', treasury.staff.tokens.approver)).toMatchObject(refusal(403, 'FORBIDDEN'))
  expect((await set('20')).body.data).toMatchObject({ strategyId, maxShare: '20.00' })
  expect(await moves()).toEqual([
    ['Capped', '200.00'],
    ['Yield Vault USDC', '700.00'],
  ])
  expect(await treasury.read('/api/core/strategy-caps')).toHaveLength(1)
  expect((await set(null)).body.data.maxShare).toBeNull()
  expect(await moves()).toHaveLength(1)
})

test('a requested deployment keeps to the cap where Weir chooses the strategy, not where the caller names it', async () => {
  const { engine, staff } = treasury
  const deploy = async (body: object) => {
    const answer = await treasury.send('POST', '/api/v1/allocations', { amount: '300', asset: 'USDC', ...body })
    expect(answer.status).toBe(201)
    return answer.body.data.strategy.id
  }
  const other = await engine.client({ organizationId: staff.organizationId, usdc: 1_000n * USDC })
  await engine.settle()
  const { opWalletId: second } = await createOperationalWallet(engine, other)
  await set('20')
  expect(await deploy({ opWalletId, strategyId, amount: '500' })).toBe(strategyId)
  // The cap permits 400 of the 2,000 in both wallets, and 500 are in flight: the named deployment counts.
  expect(await deploy({ opWalletId: second })).not.toBe(strategyId)
})

test('the audit log has each cap with its new value', async () => {
  await set('20')
  await set(null)
  const told = await treasury.audited('setStrategyCap')
  expect(told.map(({ details }) => details?.maxShare)).toEqual(['20.00', null])
})
