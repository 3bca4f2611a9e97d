import type { StrategyStateChange } from '@weir/devnet'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestSandbox, type TestSandbox } from '../../testing/chains/test-sandbox.ts'
import { seedCatalogue, strategiesOnChain } from '../venues/index.ts'
import { advanceTime } from './advance-time.ts'
import { getStrategyState } from './get-strategy-state.ts'
import { setStrategyState } from './set-strategy-state.ts'

let sandbox: TestSandbox

beforeAll(async () => {
  sandbox = await startTestSandbox(['polygon'])
  await seedCatalogue(sandbox.database.db, sandbox.embedded.seeds)
})
afterAll(() => sandbox?.close())

async function strategyOf(key: string) {
  const strategies = await strategiesOnChain(sandbox.database.db, 'polygon')
  return strategies.find((strategy) => strategy.key === key)!
}
const AAVE = 'aave-v3:polygon:USDC'
const MARKETS = 'erc4626:polygon:USDC:lending-markets'
const set = async (key: string, change: StrategyStateChange) =>
  setStrategyState(sandbox.parts, { strategyId: (await strategyOf(key)).id, change })

test('the catalogue and the ledger have seen the block of a change when it returns', async () => {
  const before = await strategyOf(AAVE)
  const state = await set(AAVE, { liquidity: 'leave' })
  expect(state.liquidity).toBe(0n)
  expect(sandbox.waitedFor.at(-1)).toMatch(/^polygon \d+$/)
  // All of it is borrowed, so its lenders earn more.
  expect((await strategyOf(AAVE)).apy).toBeGreaterThan(before.apy)
  expect((await strategyOf(AAVE)).liquidity).toBe(0n)
  await set(AAVE, { liquidity: 'return' })
  expect((await strategyOf(AAVE)).liquidity).toBeGreaterThan(0n)
})

test('a state is what its venue reports to the next reader', async () => {
  const { id } = await strategyOf(MARKETS)
  const changed = await set(MARKETS, { depositCap: 5n })
  expect(await getStrategyState(sandbox.parts, id)).toEqual(changed)
  expect(changed.depositCap).toBe(5n)
  await set(MARKETS, { depositCap: null })
})

test('changes and a moving clock wait for each other', async () => {
  const [frozen, paused, thawed, resumed, advanced] = await Promise.all([
    set(AAVE, { frozen: true }),
    set(MARKETS, { paused: true }),
    set(AAVE, { frozen: false }),
    set(MARKETS, { paused: false }),
    advanceTime(sandbox.parts, 86_400),
  ])
  const { dev } = sandbox.parts.sandbox.get('polygon')!
  expect((await dev.head()).time.getTime()).toBeGreaterThanOrEqual(advanced.now.getTime())
  // Each answer shows its own change; which of them came last is open.
  expect([frozen.frozen, thawed.frozen, paused.paused, resumed.paused]).toEqual([true, false, true, false])
  expect(await set(AAVE, { frozen: false })).toMatchObject({ frozen: false, paused: false })
  expect(await set(MARKETS, { paused: false })).toMatchObject({ frozen: false, paused: false })
})

test('what a venue does not have or refuses is CONFLICT with the reason, and leaves it as it was', async () => {
  await expect(set('erc4626:polygon:USDC', { paused: true })).rejects.toMatchObject({
    code: 'CONFLICT',
    details: { reason: 'state_not_supported' },
  })
  await expect(set(AAVE, { lossBasisPoints: 100 })).rejects.toMatchObject({
    details: { reason: 'state_not_supported' },
  })
  await set(AAVE, { paused: true })
  await expect(set(AAVE, { liquidity: 'leave' })).rejects.toMatchObject({
    code: 'CONFLICT',
    details: { reason: 'venue_refused' },
  })
  expect((await set(AAVE, { paused: false })).liquidity).toBeGreaterThan(0n)
})

test('a strategy that does not exist, or whose chain is not embedded, is refused', async () => {
  await expect(
    setStrategyState(sandbox.parts, { strategyId: 2 ** 40, change: { paused: true } }),
  ).rejects.toMatchObject({ code: 'STRATEGY_NOT_FOUND' })
  const elsewhere = { ...sandbox.parts, sandbox: new Map() }
  await expect(
    setStrategyState(elsewhere, { strategyId: (await strategyOf(AAVE)).id, change: { paused: true } }),
  ).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
})

test('a chain that does not respond is CHAIN_UNAVAILABLE', async () => {
  const polygon = sandbox.parts.sandbox.get('polygon')!
  const silent = async () => {
    throw new TypeError('fetch failed')
  }
  const venueStates = { strategyState: silent, setStrategyState: silent }
  const parts = { ...sandbox.parts, sandbox: new Map([['polygon', { ...polygon, venueStates }]]) }
  const { id: strategyId } = await strategyOf(AAVE)
  await expect(setStrategyState(parts, { strategyId, change: { paused: true } })).rejects.toMatchObject({
    code: 'CHAIN_UNAVAILABLE',
  })
  await expect(getStrategyState(parts, strategyId)).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
})
