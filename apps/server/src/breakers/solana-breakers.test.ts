// The verdicts: `judge-breaker.test.ts`. Facts of EVM chains: `venues/refresh-risk-facts.test.ts`.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestSolana, type TestSolana } from '../../testing/chains/test-solana.ts'
import { type SolanaFixture, startSolanaFixture } from '../../testing/operations/solana-fixture.ts'
import { refreshRates, refreshRiskFacts } from '../venues/index.ts'
import { NO_BREAKERS } from './breaker-settings.ts'
import { evaluateBreakers } from './evaluate-breakers.ts'
import { listBreakers } from './read-breakers.ts'
import { setBreakerSettings } from './set-breaker-settings.ts'

let solana: TestSolana
let engine: SolanaFixture
let organizationId: number
beforeAll(async () => {
  solana = await startTestSolana()
  engine = await startSolanaFixture(solana)
  organizationId = (await engine.client()).wallet.organizationId
  await refresh()
  const settings = { ...NO_BREAKERS, pegDistanceBps: 200, onUpgrade: true, recoverySeconds: 60 }
  await setBreakerSettings(engine.parts, { organizationId, settings })
  await refresh()
})
afterAll(async () => {
  await engine?.close()
  await solana?.stop()
})

async function refresh(): Promise<void> {
  await refreshRates(engine.parts, engine.chain)
  await refreshRiskFacts(engine.parts, engine.chain)
  await evaluateBreakers(engine.parts)
}
const set = async (change: Parameters<TestSolana['devnet']['setStrategyState']>[1]) => {
  await solana.devnet.setStrategyState(engine.strategy.key, change)
  await solana.devnet.mine(1)
  await refresh()
}
/** Kind and state of the breakers of the strategy that are not closed. */
const open = async () =>
  (await listBreakers(engine.db, organizationId))
    .filter(({ strategyId, state }) => strategyId === engine.strategy.id && state !== 'closed')
    .map(({ kind, state, measure }) => ({ kind, state, measure }))
const codeOf = () =>
  engine.db
    .selectFrom('strategy_code')
    .select(['fingerprint', 'contracts'])
    .where('strategy_id', '=', engine.strategy.id)
    .executeTakeFirstOrThrow()

test('a stablecoin off its peg by the account of Pyth opens the breaker, and back at it lets it recover', async () => {
  expect(await open()).toEqual([])
  await set({ tokenPrice: 88_000_000n })
  expect(await open()).toMatchObject([{ kind: 'depeg', state: 'open' }])
  await set({ tokenPrice: 100_000_000n })
  expect(await open()).toMatchObject([{ kind: 'depeg', state: 'recovering' }])
  engine.clock.advance(61_000)
  await refresh()
  expect(await open()).toEqual([])
})

test('a redeployed program opens the breaker, no matter who deployed it or what code', async () => {
  const before = await codeOf()
  const authority = solana.treasury.address
  expect(before.contracts).toMatchObject([{ address: engine.strategy.params.program, upgradeAuthority: authority }])
  await set({ upgraded: true })
  const after = await codeOf()
  expect(after.fingerprint).not.toBe(before.fingerprint)
  expect(await open()).toMatchObject([{ kind: 'upgrade', state: 'open' }])
  await set({ upgraded: false })
  expect((await codeOf()).fingerprint, 'the old code is another deployment').not.toBe(before.fingerprint)
  expect(await open()).toMatchObject([{ kind: 'upgrade', state: 'open' }])
})

test('the vault takes deposits after its program was deployed again', async () => {
  const client = await engine.client()
  expect((await client.complete(await client.supply(10_000_000n))).state).toBe('COMPLETED')
})
