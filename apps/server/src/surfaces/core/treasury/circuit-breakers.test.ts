import { expect, test } from 'vitest'
import { createOperationalWallet } from '../../../../testing/rebalancing/operational-wallets.ts'
import { refusal, useTreasury } from '../../../../testing/surfaces/use-treasury.ts'
import { USDC } from '../../../../testing/units.ts'
import { evaluateBreakers } from '../../../breakers/index.ts'
import { readConfig } from '../../../config.ts'
import { refreshRates, refreshRiskFacts } from '../../../venues/index.ts'
import { allocationMoveRoutes } from './allocation-moves.ts'
import { circuitBreakerRoutes } from './circuit-breakers.ts'

const treasury = useTreasury((app, parts) => {
  const rebalancer = { ...parts, rebalancing: readConfig({}).rebalancing }
  allocationMoveRoutes(app, rebalancer)
  circuitBreakerRoutes(app, rebalancer)
})

const PATH = '/api/core/circuit-breakers'
const OFF = {
  maxPriceFall: null,
  maxPegDistance: null,
  minWithdrawableShare: null,
  onUpgrade: false,
  withdraw: false,
  recoverySeconds: 86_400,
}
const set = (settings: object, token = treasury.staff.tokens.admin) =>
  treasury.send('PUT', PATH, { ...OFF, ...settings }, { token })
const accept = (body: object, token = treasury.staff.tokens.admin) =>
  treasury.send('POST', `${PATH}/accept`, body, { token })

test('settings are read, set as a whole by admins, and audited', async () => {
  expect(await treasury.read(PATH)).toEqual({ ...OFF, updatedAt: null, breakers: [] })
  const settings = {
    maxPriceFall: '0.50',
    maxPegDistance: '2.00',
    minWithdrawableShare: '20.00',
    onUpgrade: true,
    withdraw: true,
    recoverySeconds: 3_600,
  }
  expect(await set(settings, treasury.staff.tokens.approver)).toMatchObject(refusal(403, 'FORBIDDEN'))
  expect((await set(settings)).body.data).toMatchObject(settings)
  expect(await treasury.read(PATH)).toMatchObject(settings)
  const [entry] = await treasury.audited('setCircuitBreakers')
  expect(entry!.details).toEqual(settings)
  for (const wrong of [{ maxPriceFall: '100.01' }, { maxPegDistance: '-1' }, { recoverySeconds: 59 }])
    expect(await set(wrong)).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
})

test('settings based on others than those in force are refused, and a text that is no time', async () => {
  expect((await set({ basedOnUpdatedAt: null })).status).toBe(200)
  const { updatedAt } = await treasury.read(PATH)
  const details = { reason: 'changed_meanwhile', updatedAt }
  expect(await set({ basedOnUpdatedAt: null })).toMatchObject({ status: 409, body: { code: 'CONFLICT', details } })
  expect((await set({ basedOnUpdatedAt: updatedAt })).status).toBe(200)
  expect(await set({ basedOnUpdatedAt: 'today' })).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
})

test('an open breaker is listed, warns a person who deploys there, and is closed by an admin who accepts', async () => {
  const { engine } = treasury
  const { id: strategyId } = engine.strategy('aave-v3:polygon:USDC')
  const client = await engine.client({ organizationId: treasury.staff.organizationId, usdc: 1_000n * USDC })
  await engine.settle()
  const { opWalletId } = await createOperationalWallet(engine, client, 100n * USDC)
  await refreshRates(engine.parts, engine.chain)
  await set({ maxPegDistance: '2.00' })
  await treasury.dev.setStrategyState('aave-v3:polygon:USDC', { tokenPrice: 88_000_000n })
  await refreshRiskFacts(engine.parts, engine.chain)
  await evaluateBreakers(engine.parts)
  const found = (await treasury.read(PATH)).breakers.find(
    (one: { strategyId: number }) => one.strategyId === strategyId,
  )
  expect(found).toMatchObject({ kind: 'depeg', state: 'open', measure: '12.00', fineSince: null })

  const deployment = { opWalletId, amount: '10.00', asset: 'USDC' }
  expect(await treasury.send('POST', '/api/v1/allocations', deployment)).toMatchObject({
    status: 400,
    body: { code: 'AMOUNT_OUT_OF_BOUNDS', message: expect.stringContaining('12.00% off its peg') },
  })
  const named = await treasury.send('POST', '/api/v1/allocations', { ...deployment, strategyId })
  expect(named).toMatchObject({
    status: 201,
    body: { data: { warnings: ['For this strategy a circuit breaker is open: its token is 12.00% off its peg.'] } },
  })

  expect(await accept({ strategyId, kind: 'depeg' }, treasury.staff.tokens.approver)).toMatchObject(
    refusal(403, 'FORBIDDEN'),
  )
  expect((await accept({ strategyId, kind: 'depeg' })).body.data).toMatchObject({ state: 'accepted' })
  expect(await accept({ strategyId, kind: 'depeg' })).toMatchObject({
    status: 409,
    body: { details: { reason: 'breaker_not_open' } },
  })
  expect(await accept({ strategyId: 2 ** 40, kind: 'depeg' })).toMatchObject(refusal(404, 'STRATEGY_NOT_FOUND'))
  expect(await treasury.audited('acceptCircuitBreaker')).toMatchObject([{ details: { strategyId, kind: 'depeg' } }])
  await treasury.dev.setStrategyState('aave-v3:polygon:USDC', { tokenPrice: 100_000_000n })
})
