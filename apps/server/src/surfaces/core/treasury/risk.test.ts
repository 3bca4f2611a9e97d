import { expect, test } from 'vitest'
import { staffedOrganization } from '../../../../testing/surfaces/core-server.ts'
import { refusal, useTreasury } from '../../../../testing/surfaces/use-treasury.ts'
import { USDC } from '../../../../testing/units.ts'
import { refreshWithdrawable } from '../../../allocations/index.ts'
import { refreshRates, refreshRiskFacts } from '../../../venues/index.ts'
import { liquidityRoutes } from './liquidity.ts'
import { operationalWalletRoutes } from './operational-wallets.ts'
import { strategyRiskRoutes } from './strategy-risks.ts'

const treasury = useTreasury((app, parts) => {
  operationalWalletRoutes(app, parts)
  strategyRiskRoutes(app, { db: parts.db, embedded: true })
  liquidityRoutes(app, parts)
})

const AAVE = 'aave-v3:polygon:USDC'
const COOLDOWN = 'cooldown-vault:polygon:USDC'
const LENDING = 'erc4626:polygon:USDC:lending-aave'
const riskOf = (key: string, query = '') =>
  treasury.read(`/api/core/strategy-risks/${treasury.engine.strategy(key).id}${query}`)

async function readChain(): Promise<void> {
  const { engine } = treasury
  await engine.settle()
  await refreshRates(engine.parts, engine.chain)
  await refreshWithdrawable(engine.parts, engine.chain, 0)
}

test('a strategy shows checked facts, measurements, and what the organization has in it', async () => {
  const { client } = await treasury.operationalWallet('0')
  await client.complete(await client.supply(300n * USDC, AAVE))
  await readChain()
  await treasury.dev.increaseTime(8 * 86_400)
  await readChain()
  const risk = await riskOf(AAVE)
  expect(risk).toMatchObject({
    blockchain: 'polygon',
    token: 'USDC',
    facts: { protocol: 'Aave V3, embedded', controls: [{ power: 'upgrade', delaySeconds: 0 }, {}, {}] },
    own: { unread: '0.00' },
  })
  expect(Object.keys(risk.contracts)).toEqual(['pool', 'aToken'])
  const [day, week, month] = risk.yields
  expect([day.days, week.days, month.days]).toEqual([1, 7, 30])
  expect(week.base).toMatch(/^\d+\.\d\d%$/)
  expect(week.base).not.toBe('0.00%')
  expect(week).toMatchObject({ reward: null })
  expect(month).toEqual({ days: 30, base: null, reward: null, from: null })
  const [tvl, liquidity] = [Number(risk.tvl), Number(risk.liquidity)]
  expect(Number.parseFloat(risk.utilization)).toBeCloseTo((1 - liquidity / tvl) * 100, 1)
  expect(Number(risk.own.value)).toBeGreaterThan(300)
  expect(risk.own.withdrawable).toBe(risk.own.value)
  expect(Number.parseFloat(risk.own.shareOfPool)).toBeCloseTo((Number(risk.own.value) / tvl) * 100, 1)
  expect(risk.history).toHaveLength(2)
  expect(risk.history[0]).toMatchObject({ day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), tvl: expect.any(String) })
  expect(risk.history[0]).toMatchObject({ sharePriceIndex: '1.00000000', apy: expect.stringMatching(/^\d+\.\d\d%$/) })
  expect(Number(risk.history[1].sharePriceIndex)).toBeGreaterThan(1)
  expect(risk.history[1]).not.toHaveProperty('apy')
  expect((await riskOf(AAVE, '?days=1')).history).toHaveLength(1)
  expect((await riskOf(LENDING)).utilization).toBeNull()
  const listed = await treasury.read('/api/core/strategy-risks')
  const { history: _, ...listedRisk } = risk
  expect(listed.find(({ strategyId }: { strategyId: number }) => strategyId === risk.strategyId)).toEqual(listedRisk)
})

test('the distance of a token from its peg is what its feed says, and absent before it was read', async () => {
  const { engine, dev } = treasury
  await engine.db.deleteFrom('token_prices').execute()
  expect(await riskOf(AAVE)).not.toHaveProperty('peg')
  await dev.setStrategyState(AAVE, { tokenPrice: 88_000_000n })
  await refreshRiskFacts(engine.parts, engine.chain)
  const peg = { price: '0.88', distance: '12.00%', at: expect.stringMatching(/Z$/) }
  expect(await riskOf(AAVE)).toMatchObject({ peg })
  expect(await riskOf(LENDING)).toMatchObject({ peg })
  await dev.setStrategyState(AAVE, { tokenPrice: 100_400_000n })
  await refreshRiskFacts(engine.parts, engine.chain)
  expect((await riskOf(AAVE)).peg).toMatchObject({ price: '1.004', distance: '0.40%' })
  await dev.setStrategyState(AAVE, { tokenPrice: 100_000_000n })
})

test('the delay of a curator is what its vault reported last', async () => {
  const { db, strategy } = treasury.engine
  const { id, params } = strategy(LENDING)
  await db.updateTable('strategies').set({ timelock_seconds: 259_200 }).where('id', '=', id).execute()
  expect((await riskOf(LENDING)).timelock).toEqual({ seconds: 259_200, contract: params.vault })
  await readChain()
  expect(await riskOf(LENDING)).not.toHaveProperty('timelock')
})

test('what a vault lacks is what it reported last, and null where it reports no losses', async () => {
  const { db, strategy } = treasury.engine
  const { id } = strategy(LENDING)
  await db.updateTable('strategies').set({ shortfall: 50_250_000n }).where('id', '=', id).execute()
  expect(await riskOf(LENDING)).toMatchObject({ shortfall: '50.25' })
  await db.updateTable('strategies').set({ shortfall: 0n }).where('id', '=', id).execute()
  expect(await riskOf(LENDING)).toMatchObject({ shortfall: '0.00' })
  await readChain()
  expect(await riskOf(LENDING)).toMatchObject({ shortfall: null })
})

test('another organization sees the pool and none of these positions', async () => {
  const { client } = await treasury.operationalWallet('0')
  await client.complete(await client.supply(300n * USDC, AAVE))
  await readChain()
  const { tokens } = await staffedOrganization(treasury.core.parts)
  const id = treasury.engine.strategy(AAVE).id
  const { body } = await treasury.request(`/api/core/strategy-risks/${id}`, tokens.viewer)
  expect(body.data.own).toEqual({ value: '0.00', shareOfPool: '0.00%', withdrawable: '0.00', unread: '0.00' })
  expect((await treasury.request('/api/core/liquidity', tokens.viewer)).body.data).toMatchObject({
    total: '0.00',
    tokens: [],
  })
  expect(await treasury.request('/api/core/strategy-risks/999999')).toMatchObject(refusal(404, 'STRATEGY_NOT_FOUND'))
})

test('the money is sorted by when it could be back, and times that nobody can know are shown as unknown', async () => {
  const { client } = await treasury.operationalWallet('0')
  await client.complete(await client.supply(300n * USDC, AAVE))
  await client.complete(await client.supply(200n * USDC, LENDING))
  await client.supply(50n * USDC, AAVE)
  const before = await treasury.read('/api/core/liquidity')
  expect(before).toMatchObject({ inWallets: '450.00', withinMinute: '450.00', unknown: { reserved: '50.00' } })
  expect(Number(before.unknown.unread)).toBeCloseTo(500, 1)

  const { engine, dev } = treasury
  const { aToken } = engine.strategy(AAVE).params
  const { usdcAddress } = client
  // Borrowers leave 30 tokens in the pool. The vault that lends to it reports the same 30: strategies count separately.
  await dev.rpc('anvil_dealERC20', aToken!, usdcAddress, `0x${(30n * USDC).toString(16)}`)
  await readChain()
  const money = await treasury.read('/api/core/liquidity')
  expect(money).toMatchObject({ inWallets: '450.00', unknown: { reserved: '50.00', unread: '0.00', shared: '0.00' } })
  expect(money.withinMinute).toBe('510.00')
  expect([money.withinDay, money.withinMonth]).toEqual([money.withinMinute, money.withinMinute])
  const known = Number(money.withinMonth) + Number(money.unknown.reserved) + Number(money.unknown.illiquid)
  expect(known).toBeCloseTo(Number(money.total), 6)
  expect(money.tokens).toEqual([
    expect.objectContaining({ blockchain: 'polygon', token: 'USDC', withinMinute: '510.00', inWallets: '450.00' }),
  ])
})

test('a position behind a cooldown counts from when that would end, after one that runs', async () => {
  const { client } = await treasury.operationalWallet('0')
  await readChain()
  const read = async () => {
    const { withinDay, withinMonth, unknown } = await treasury.read('/api/core/liquidity')
    return [withinDay, withinMonth, unknown.illiquid].map(Number) as [number, number, number]
  }
  const [day, month, illiquid] = await read()
  await client.complete(await client.supply(200n * USDC, COOLDOWN))
  await readChain()
  const later = async () => {
    const now = await read()
    // Never a negative zero.
    return [now[0] - day, now[1] - month, now[2] - illiquid].map((change) => Math.round(change) + 0)
  }
  expect(await later(), 'within a month').toEqual([-200, 0, 0])
  await client.complete(await client.unwind(50n * USDC, COOLDOWN))
  await readChain()
  expect(await later(), '7 days, and then 7 more').toEqual([-200, 0, 0])
  await treasury.dev.setStrategyState(COOLDOWN, { cooldownSeconds: 25 * 86_400 })
  await readChain()
  expect(await later(), '7 days, and then 25').toEqual([-200, -150, 0])
  await treasury.dev.setStrategyState(COOLDOWN, { cooldownSeconds: 7 * 86_400 })
})

test('several wallets in one pool do not count its liquidity twice', async () => {
  const { client } = await treasury.operationalWallet('0')
  const { client: other } = await treasury.operationalWallet('0')
  for (const each of [client, other]) await each.complete(await each.supply(300n * USDC, AAVE))
  const { aToken } = treasury.engine.strategy(AAVE).params
  await treasury.dev.rpc('anvil_dealERC20', aToken!, client.usdcAddress, `0x${(40n * USDC).toString(16)}`)
  await readChain()
  expect(await treasury.read('/api/core/liquidity')).toMatchObject({
    inWallets: '1400.00',
    withinMinute: '1440.00',
    unknown: { shared: '40.00' },
  })
})
