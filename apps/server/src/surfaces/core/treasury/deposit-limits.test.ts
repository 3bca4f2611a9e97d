import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { beforeEach, expect, test } from 'vitest'
import type { TestClient } from '../../../../testing/operations/test-client.ts'
import { createOperationalWallet } from '../../../../testing/rebalancing/operational-wallets.ts'
import { refusal, useTreasury } from '../../../../testing/surfaces/use-treasury.ts'
import { USDC } from '../../../../testing/units.ts'
import { readConfig } from '../../../config.ts'
import { allocationMoveRoutes } from './allocation-moves.ts'
import { depositLimitRoutes } from './deposit-limits.ts'
import { rebalancePreviewRoute } from './rebalance-preview.ts'

const treasury = useTreasury((app, parts) => {
  const rebalancer = { ...parts, rebalancing: readConfig({}).rebalancing }
  allocationMoveRoutes(app, rebalancer)
  rebalancePreviewRoute(app, rebalancer)
  depositLimitRoutes(app, rebalancer)
})
let client: TestClient
let opWalletId: number
beforeEach(async () => {
  const { engine, staff } = treasury
  client = await engine.client({ organizationId: staff.organizationId, usdc: 1_000n * USDC })
  await engine.settle()
  ;({ opWalletId } = await createOperationalWallet(engine, client, 100n * USDC))
})

const NONE = { allowedStrategies: null, caps: [], maxPoolShare: null, maxLiquidityShare: null }
const set = (limits: object, token = treasury.staff.tokens.admin) =>
  treasury.send('PUT', '/api/core/deposit-limits', { ...NONE, ...limits }, { token })
async function preview() {
  const { body } = await treasury.send('POST', `/api/core/wallets/monitored/${opWalletId}/rebalance-preview`, {})
  return body.data
}

test('limits are read, set as a whole by admins, and audited', async () => {
  expect(await treasury.read('/api/core/deposit-limits')).toEqual({
    ...NONE,
    maxPriceFall: null,
    minWithdrawableShare: null,
    updatedAt: null,
  })
  const limits = {
    allowedStrategies: [treasury.engine.strategy('aave-v3:polygon:USDC').id],
    caps: [{ kind: 'protocol', of: 'Aave V3', maxShare: '40.00' }],
    maxPoolShare: '10.00',
    maxLiquidityShare: '25.50',
    maxPriceFall: '0.50',
    minWithdrawableShare: '20.00',
  }
  expect(await set(limits, treasury.staff.tokens.approver)).toMatchObject(refusal(403, 'FORBIDDEN'))
  expect((await set(limits)).body.data).toMatchObject(limits)
  expect(await treasury.read('/api/core/deposit-limits')).toMatchObject(limits)
  const [entry] = await treasury.audited('setDepositLimits')
  expect(entry!.details).toEqual(limits)
})

test('limits based on others than those in force are refused, and a text that is no time', async () => {
  expect((await set({ basedOnUpdatedAt: null })).status).toBe(200)
  const { updatedAt } = await treasury.read('/api/core/deposit-limits')
  const details = { reason: 'changed_meanwhile', updatedAt }
  expect(await set({ basedOnUpdatedAt: null })).toMatchObject({ status: 409, body: { code: 'CONFLICT', details } })
  expect((await set({ basedOnUpdatedAt: updatedAt })).status).toBe(200)
  expect(await set({ basedOnUpdatedAt: 'today' })).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
})

const hasJq = spawnSync('jq', ['--version']).status === 0
if (!hasJq) process.stderr.write('SKIPPED: there is no jq, so the command of docs/incidents.md is not tested\n')

test.skipIf(!hasJq)('the command of docs/incidents.md stops deposits, and keeps every other limit', async () => {
  const others = {
    caps: [{ kind: 'protocol', of: 'Aave V3', maxShare: '40.00' }],
    maxPoolShare: '10.00',
    maxLiquidityShare: '25.50',
    maxPriceFall: '0.50',
    minWithdrawableShare: '20.00',
  }
  await set(others)
  const page = readFileSync(new URL('../../../../../../docs/incidents.md', import.meta.url), 'utf8')
  const [, program = ''] = page.match(/jq '([^']*allowedStrategies = \[\][^']*)'/) ?? []
  const response = JSON.stringify({ data: await treasury.read('/api/core/deposit-limits') })
  const body = JSON.parse(execFileSync('jq', [program], { input: response, encoding: 'utf8' }))
  const { status } = await treasury.send('PUT', '/api/core/deposit-limits', body, {
    token: treasury.staff.tokens.admin,
  })
  expect(status).toBe(200)
  expect(await treasury.read('/api/core/deposit-limits')).toMatchObject({ ...others, allowedStrategies: [] })
})

test('a share above 100 percent, a repeated id and an unknown name are refused', async () => {
  const id = treasury.engine.strategy('aave-v3:polygon:USDC').id
  for (const wrong of [
    { maxPoolShare: '100.01' },
    { caps: [{ kind: 'protocol', of: 'Morfo', maxShare: '1' }] },
    { allowedStrategies: [id, id] },
    { allowedStrategies: [2 ** 40] },
  ])
    expect(await set(wrong)).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
})

test('the rebalancer deposits only in allowed strategies, within the caps, and says why', async () => {
  const { id } = treasury.engine.strategy('erc4626:polygon:USDC:capped')
  await set({ allowedStrategies: [id], caps: [{ kind: 'strategy', of: `${id}`, maxShare: '20' }] })
  const { moves, strategies } = await preview()
  expect(moves.map(({ amount }: { amount: string }) => amount)).toEqual(['200.00'])
  const verdicts = strategies.map(({ verdict }: { verdict: string }) => verdict)
  expect(verdicts).toContain("it is not on the organization's allow-list")
  expect(verdicts).toContain('takes part of it')
  await set({ allowedStrategies: [] })
  expect((await preview()).moves).toEqual([])
  const request = { opWalletId, amount: '10.00', asset: 'USDC' }
  expect(await treasury.send('POST', '/api/v1/allocations', request)).toMatchObject(
    refusal(400, 'AMOUNT_OUT_OF_BOUNDS'),
  )
  expect((await treasury.send('POST', '/api/v1/allocations', { ...request, strategyId: id })).status).toBe(201)
})
