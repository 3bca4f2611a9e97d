import { expect, test } from 'vitest'
import { lostLease } from '../../testing/database/lost-lease.ts'
import { useChain } from '../../testing/operations/use-chain.ts'
import { answering } from '../../testing/venues/answering.ts'
import type { EvmChain } from '../chains/index.ts'
import { addMilliseconds, BREAKER_FACTS_AGE_MAX_MS } from '../kernel/index.ts'
import { strategiesOnChain } from './catalogue/find-strategies.ts'
import { refreshRates } from './refresh-rates.ts'
import { refreshRiskFacts } from './refresh-risk-facts.ts'

const use = useChain()
const COMET = 'compound-v3:polygon:USDC'
const UPGRADEABLE = 'erc4626:polygon:USDC:upgradeable'
const FLUID = 'erc4626:polygon:USDC:fluid'
const refresh = () => refreshRiskFacts(use.engine.parts, use.engine.chain)
const codeOf = async (key: string) => {
  const strategyId = use.engine.strategy(key).id
  const code = use.engine.db.selectFrom('strategy_code').selectAll().where('strategy_id', '=', strategyId)
  return await code.executeTakeFirstOrThrow()
}

test('the price of a token is what its feed reports, in 1e-8 US dollars', async () => {
  await use.dev.setStrategyState('aave-v3:polygon:USDC', { tokenPrice: 88_000_000n })
  await refresh()
  const { tokenAddress } = use.engine.strategy('aave-v3:polygon:USDC')
  const priced = use.engine.db.selectFrom('token_prices').selectAll().where('token_address', '=', tokenAddress)
  expect(await priced.executeTakeFirst()).toMatchObject({ blockchain: 'polygon', price: 88_000_000n })
  await use.dev.setStrategyState('aave-v3:polygon:USDC', { tokenPrice: 100_000_000n })
  await refresh()
  expect(await priced.executeTakeFirst()).toMatchObject({ price: 100_000_000n })
})

test('an older price than the one that is known is not saved, until that one was not read for an hour', async () => {
  await refresh()
  const { tokenAddress } = use.engine.strategy('aave-v3:polygon:USDC')
  const { db, clock } = use.engine
  const row = () =>
    db.selectFrom('token_prices').selectAll().where('token_address', '=', tokenAddress).executeTakeFirstOrThrow()
  const { priced_at } = await row()
  const newer = { price: 88_000_000n, priced_at: addMilliseconds(priced_at, 60_000) }
  await db.updateTable('token_prices').set(newer).where('token_address', '=', tokenAddress).execute()
  await refresh()
  expect(await row()).toMatchObject(newer)
  const read_at = addMilliseconds(clock.now(), -BREAKER_FACTS_AGE_MAX_MS - 1)
  await db.updateTable('token_prices').set({ read_at }).where('token_address', '=', tokenAddress).execute()
  await refresh()
  expect(await row()).toMatchObject({ price: 100_000_000n, priced_at, read_at: clock.now() })
})

test('the price of a token that a strategy pays as reward is read too, and its contracts are no code of the strategy', async () => {
  const { engine } = use
  await refreshRates(engine.parts, engine.chain)
  await refresh()
  const { rewardToken, params } = (await strategiesOnChain(engine.db, 'polygon')).find(({ key }) => key === COMET)!
  const priced = engine.db.selectFrom('token_prices').selectAll().where('token_address', '=', rewardToken)
  expect(await priced.executeTakeFirst()).toMatchObject({ blockchain: 'polygon', price: 100_000_000n })
  expect((await codeOf(COMET)).contracts.map(({ address }) => address)).toEqual([params.comet])
})

test('a process that lost its lease saves neither prices nor code', async () => {
  const { engine } = use
  await refresh()
  const saved = async () => [
    await engine.db.selectFrom('token_prices').selectAll().orderBy('token_address').execute(),
    await engine.db.selectFrom('strategy_code').selectAll().orderBy('strategy_id').execute(),
  ]
  const before = await saved()
  engine.clock.advance(60_000)
  await refreshRiskFacts({ ...engine.parts, db: lostLease(engine.db) }, engine.chain)
  expect(await saved()).toEqual(before)
  await refresh()
  expect(await saved()).not.toEqual(before)
})

test('an upgrade of a proxy changes the fingerprint of its strategy and of no other, and back again', async () => {
  await refresh()
  const [before, aave] = [await codeOf(UPGRADEABLE), await codeOf('aave-v3:polygon:USDC')]
  expect(before.contracts).toMatchObject([{ implementation: expect.stringMatching(/^0x/), beacon: null }])
  // Aave's pool and aToken are proxies too; a vault without one has no implementation.
  expect(aave.contracts.map(({ implementation }) => implementation)).not.toContain(null)
  expect((await codeOf('erc4626:polygon:USDC:lending-aave')).contracts).toMatchObject([{ implementation: null }])
  await use.dev.setStrategyState(UPGRADEABLE, { upgraded: true })
  await refresh()
  const after = await codeOf(UPGRADEABLE)
  expect(after.fingerprint).not.toBe(before.fingerprint)
  expect(after.contracts[0]!.codeHash).toBe(before.contracts[0]!.codeHash)
  expect((await codeOf('aave-v3:polygon:USDC')).fingerprint).toBe(aave.fingerprint)
  await use.dev.setStrategyState(UPGRADEABLE, { upgraded: false })
  await refresh()
  expect((await codeOf(UPGRADEABLE)).fingerprint).toBe(before.fingerprint)
})

test('code that is replaced at an address changes the fingerprint', async () => {
  await refresh()
  const key = 'erc4626:polygon:USDC:lending-aave'
  const before = await codeOf(key)
  const { chain } = use.engine
  const spied = {
    ...chain,
    contractCode: async (addresses: readonly string[]) =>
      (await chain.contractCode!(addresses)).map((code) => ({ ...code, codeHash: `0x${'1'.repeat(64)}` })),
  }
  await refreshRiskFacts(use.engine.parts, spied)
  expect((await codeOf(key)).fingerprint).not.toBe(before.fingerprint)
  await refresh()
  expect((await codeOf(key)).fingerprint).toBe(before.fingerprint)
})

test("the code that Fluid's layer runs is that of its vault: another one changes the fingerprint, and back again", async () => {
  await refresh()
  const before = await codeOf(FLUID)
  const [vault, layer] = before.contracts
  expect(vault).toMatchObject({ address: use.engine.strategy(FLUID).params.vault, implementation: null })
  // What the slot of ERC-1967 names never runs.
  expect(layer).toMatchObject({ implementation: expect.stringMatching(/^0x/), beacon: null })
  expect(layer!.implementation).not.toBe(layer!.address)
  await use.dev.setStrategyState(FLUID, { upgraded: true })
  await refresh()
  const after = await codeOf(FLUID)
  expect(after.fingerprint).not.toBe(before.fingerprint)
  expect(after.contracts[0]).toEqual(vault)
  expect(after.contracts[1]).toEqual({ ...layer, implementation: expect.stringMatching(/^0x/) })
  await use.dev.setStrategyState(FLUID, { upgraded: false })
  await refresh()
  expect((await codeOf(FLUID)).fingerprint).toBe(before.fingerprint)
})

test('a layer that runs no code for deposits and withdrawals is another one', async () => {
  await refresh()
  const before = await codeOf(FLUID)
  await refreshOn({ getSigsImplementation: () => `0x${'0'.repeat(40)}` })
  const after = await codeOf(FLUID)
  expect(after.contracts[1]).toMatchObject({ implementation: null })
  expect(after.fingerprint).not.toBe(before.fingerprint)
  await refresh()
  expect((await codeOf(FLUID)).fingerprint).toBe(before.fingerprint)
})

test('code behind a vault that is read for the first time is no upgrade, and one from then on is', async () => {
  await forget()
  // As 0.2.0 saves it, and for a layer that does not name its code.
  await refreshOn(UNNAMED)
  const before = await codeOf(FLUID)
  expect(before.contracts).toHaveLength(1)
  use.engine.clock.advance(1_000)
  await refreshOn(UNNAMED)
  expect((await codeOf(FLUID)).read_at).toEqual(use.engine.clock.now())
  await refresh()
  const after = await codeOf(FLUID)
  expect(after.contracts).toHaveLength(2)
  expect(after).toMatchObject({ fingerprint: before.fingerprint, changed_at: before.changed_at })
  await refresh()
  expect((await codeOf(FLUID)).fingerprint).toBe(before.fingerprint)
  await use.dev.setStrategyState(FLUID, { upgraded: true })
  await refresh()
  expect((await codeOf(FLUID)).fingerprint).not.toBe(before.fingerprint)
  await use.dev.setStrategyState(FLUID, { upgraded: false })
  await refresh()
})

test.each(['getData', 'getSigsImplementation'])(
  'without %s, code that was read before is unknown: it stays and gets old',
  async (name) => {
    await refresh()
    const before = await codeOf(FLUID)
    use.engine.clock.advance(1_000)
    await refreshOn({ [name]: () => undefined })
    expect(await codeOf(FLUID)).toEqual(before)
    expect((await codeOf(UPGRADEABLE)).read_at).toEqual(use.engine.clock.now())
  },
)

test('other code of the vault itself is seen also where the layer never named its own', async () => {
  await forget()
  await refreshOn(UNNAMED)
  const before = await codeOf(FLUID)
  const { chain } = use.engine
  const contractCode = async (addresses: readonly string[]) =>
    (await chain.contractCode!(addresses)).map((code) => ({ ...code, codeHash: `0x${'1'.repeat(64)}` }))
  await refreshOn(UNNAMED, { ...chain, contractCode })
  expect((await codeOf(FLUID)).fingerprint).not.toBe(before.fingerprint)
  await refresh()
})

const UNNAMED = { getSigsImplementation: () => undefined }
const refreshOn = (answers: Parameters<typeof answering>[1], chain: EvmChain = use.engine.chain) =>
  refreshRiskFacts(use.engine.parts, answering(chain, answers))
const forget = () =>
  use.engine.db.deleteFrom('strategy_code').where('strategy_id', '=', use.engine.strategy(FLUID).id).execute()
