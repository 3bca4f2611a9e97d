import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { insertPosition } from '../../testing/operations/insert-position.ts'
import { useStore } from '../../testing/operations/use-store.ts'
import { until } from '../../testing/until.ts'
import { acceptBreaker } from './accept-breaker.ts'
import { advanceBreaker } from './advance-breaker.ts'
import { newBreaker } from './breaker.ts'
import { NO_BREAKERS } from './breaker-settings.ts'
import { evaluateBreakers, lockSettings } from './evaluate-breakers.ts'
import { listBreakers, stoppedStrategies } from './read-breakers.ts'
import { setBreakerSettings } from './set-breaker-settings.ts'

const store = useStore()
let organizationId: number
beforeEach(async () => {
  organizationId = await store.organization()
  await reading({ price: 1_000n })
})

/** What the service read last about the one strategy. */
async function reading({ price, token = 100_000_000n, code = 'a' }: { price: bigint; token?: bigint; code?: string }) {
  const { db, strategy } = store
  const at = store.clock.now()
  await db.deleteFrom('strategy_prices').execute()
  await db
    .insertInto('strategy_prices')
    .values({ strategy_id: strategy.id, day: '2026-01-01', price: 1_000n, read_at: at })
    .execute()
  await db.updateTable('strategies').set({ price, price_at: at, rates_at: at }).where('id', '=', strategy.id).execute()
  const { blockchain, tokenAddress } = strategy
  const priced = { price: token, priced_at: at, read_at: at }
  await db
    .insertInto('token_prices')
    .values({ blockchain, token_address: tokenAddress, ...priced })
    .onConflict((conflict) => conflict.columns(['blockchain', 'token_address']).doUpdateSet(priced))
    .execute()
  const seen = { fingerprint: code, contracts: '[]', changed_at: at, read_at: at }
  await db
    .insertInto('strategy_code')
    .values({ strategy_id: strategy.id, ...seen })
    .onConflict((conflict) => conflict.column('strategy_id').doUpdateSet(seen))
    .execute()
}
const set = (change: Partial<typeof NO_BREAKERS>, of = organizationId) =>
  setBreakerSettings(store.parts, { organizationId: of, settings: { ...NO_BREAKERS, recoverySeconds: 60, ...change } })
const evaluate = () => evaluateBreakers(store.parts)
const states = async () =>
  (await listBreakers(store.db, organizationId)).map(({ kind, state, measure }) => ({ kind, state, measure }))
const events = async () =>
  (
    await store.db
      .selectFrom('outbox')
      .select(['event', 'object_type', 'object_id', 'data'])
      .where('organization_id', '=', organizationId)
      .orderBy('id')
      .execute()
  ).map(({ event, object_id, data }) => ({ event, object_id, breaker: data.breaker, state: data.state }))

test('a fact beyond the settings opens a breaker once, with an event, and makes every wallet due', async () => {
  const { opWalletId } = await store.operationalWallet(await store.wallet({ organizationId }))
  await set({ priceFallBps: 100 })
  expect(await evaluate()).toBe(0)
  await store.db.updateTable('operational_wallets').set({ due_at: null }).execute()
  await reading({ price: 970n })
  expect(await evaluate()).toBe(1)
  expect(await states()).toEqual([{ kind: 'price_fall', state: 'open', measure: 300 }])
  const opened = {
    event: 'strategy.breaker_opened',
    object_id: store.strategy.id,
    breaker: 'price_fall',
    state: 'open',
  }
  expect(await events()).toEqual([opened])
  const due = store.db.selectFrom('operational_wallets').select('due_at').where('id', '=', opWalletId)
  expect(await due.executeTakeFirst()).toEqual({ due_at: store.clock.now() })
  expect((await stoppedStrategies(store.db, organizationId)).get(store.strategy.id)).toEqual({
    reason: 'a circuit breaker is open: its share price fell by 3.00%',
    withdraw: false,
    since: store.clock.now(),
  })
  expect(await evaluate()).toBe(0)
  expect(await events()).toHaveLength(1)
})

test('an absurd price of one token opens its breaker, and the others are evaluated', async () => {
  await set({ priceFallBps: 100, pegDistanceBps: 200 })
  await reading({ price: 970n, token: 10n ** 30n })
  await evaluate()
  const found = (await states()).toSorted((one, other) => one.kind.localeCompare(other.kind))
  expect(found).toEqual([
    { kind: 'depeg', state: 'open', measure: 2_147_483_647 },
    { kind: 'price_fall', state: 'open', measure: 300 },
  ])
})

test('a feed that was silent starts the time again with its first good price', async () => {
  await set({ pegDistanceBps: 200, recoverySeconds: 86_400 })
  await reading({ price: 1_000n, token: 88_000_000n })
  await evaluate()
  await reading({ price: 1_000n })
  await evaluate()
  expect(await states()).toMatchObject([{ state: 'recovering' }])
  store.clock.advance(20 * 3_600_000)
  await evaluate()
  expect(await states()).toMatchObject([{ state: 'open' }])
  store.clock.advance(4 * 3_600_000)
  await reading({ price: 1_000n })
  await evaluate()
  await evaluate()
  expect(await states()).toMatchObject([{ state: 'recovering' }])
  store.clock.advance(86_400_000)
  await reading({ price: 1_000n })
  await evaluate()
  expect(await states()).toEqual([])
  expect((await events()).map(({ event }) => event)).toEqual(['strategy.breaker_opened', 'strategy.breaker_closed'])
})

test('it closes when the fact was fine for the set time, and a fall in between starts the time again', async () => {
  await set({ pegDistanceBps: 200 })
  await reading({ price: 1_000n, token: 88_000_000n })
  await evaluate()
  expect(await states()).toEqual([{ kind: 'depeg', state: 'open', measure: 1_200 }])
  await reading({ price: 1_000n })
  await evaluate()
  store.clock.advance(59_000)
  await reading({ price: 1_000n, token: 97_000_000n })
  await evaluate()
  expect(await states()).toMatchObject([{ state: 'open' }])
  await reading({ price: 1_000n })
  await evaluate()
  store.clock.advance(59_000)
  await evaluate()
  expect(await states()).toMatchObject([{ state: 'recovering' }])
  expect((await stoppedStrategies(store.db, organizationId)).size).toBe(1)
  store.clock.advance(1_000)
  await evaluate()
  expect(await states()).toEqual([])
  expect((await stoppedStrategies(store.db, organizationId)).size).toBe(0)
  expect((await events()).map(({ event }) => event)).toEqual(['strategy.breaker_opened', 'strategy.breaker_closed'])
})

test('the first code that is seen is known, and other code opens a breaker', async () => {
  await set({ onUpgrade: true })
  await evaluate()
  expect(await states()).toEqual([])
  await reading({ price: 1_000n, code: 'b' })
  await evaluate()
  expect(await states()).toEqual([{ kind: 'upgrade', state: 'open', measure: null }])
  const { id: strategyId } = store.strategy
  await acceptBreaker(store.parts, { organizationId, strategyId, kind: 'upgrade' })
  await evaluate()
  expect(await states()).toEqual([])
  await reading({ price: 1_000n, code: 'c' })
  await evaluate()
  expect(await states()).toMatchObject([{ state: 'open' }])
})

test('an upgrade while the breaker was off counts as known', async () => {
  await set({ onUpgrade: true })
  await evaluate()
  await set({})
  await reading({ price: 1_000n, code: 'b' })
  await set({ onUpgrade: true })
  await evaluate()
  expect(await states()).toEqual([])
})

test('facts stop only organizations that asked for it, and an old price of a feed is unknown', async () => {
  const other = await store.organization()
  await set({ pegDistanceBps: 200 }, other)
  await reading({ price: 900n, token: 90_000_000n })
  store.clock.advance(3_600_001)
  await evaluate()
  expect(await listBreakers(store.db, other)).toEqual([])
  await reading({ price: 900n, token: 90_000_000n })
  await evaluate()
  expect(await listBreakers(store.db, other)).toMatchObject([{ kind: 'depeg' }])
  expect(await states()).toEqual([])
})

test('an evaluation waits for another change of the same breakers, and then finds nothing left to do', async () => {
  await set({ priceFallBps: 100 })
  await reading({ price: 900n })
  const waiting = await store.tx(async (tx) => {
    await lockSettings(tx, organizationId)
    const breaker = newBreaker({ organizationId, strategyId: store.strategy.id, kind: 'price_fall' })
    await advanceBreaker(tx, breaker, { event: 'tripped', measure: 1_000, at: store.clock.now() })
    const evaluation = evaluateBreakers(store.parts, [organizationId])
    await until(async () => {
      const { rows } = await sql`
        select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      `.execute(store.db)
      return rows.length > 0
    })
    return { evaluation }
  })
  expect(await waiting.evaluation).toBe(0)
  expect(await events()).toEqual([])
})

/** Wallets with 100 each in a pool that holds this much. */
async function inPool(wallets: number, liquidity: bigint): Promise<void> {
  const { db, strategy } = store
  const params = JSON.stringify({ ...strategy.params, cash: 'reported' })
  await db.updateTable('strategies').set({ liquidity, params }).where('id', '=', strategy.id).execute()
  for (let count = 0; count < wallets; count += 1) {
    const wallet = await store.wallet({ organizationId, usdc: 0n })
    await insertPosition(store, wallet, { value: 100n, withdrawable: 100n, price: 1_000n })
  }
}
const setReadings = (withdrawable: bigint | null, readAt = store.clock.now()) =>
  store.db
    .updateTable('allocations')
    .set({ withdrawable, withdrawable_at: withdrawable === null ? null : readAt })
    .where('organization_id', '=', organizationId)
    .execute()
const hasLiquidity = (liquidity: bigint) =>
  store.db.updateTable('strategies').set({ liquidity }).where('id', '=', store.strategy.id).execute()

test('the liquidity of a pool counts once for all wallets in it', async () => {
  await set({ withdrawableShareBps: 2_000 })
  await inPool(10, 250n)
  await evaluate()
  expect(await states()).toEqual([])
  await hasLiquidity(100n)
  await evaluate()
  expect(await states()).toEqual([{ kind: 'illiquidity', state: 'open', measure: 1_000 }])
})

test('readings of positions that are older than an hour, or are missing, close no breaker of liquidity', async () => {
  await set({ withdrawableShareBps: 2_000 })
  await inPool(2, 0n)
  await evaluate()
  expect(await states()).toMatchObject([{ kind: 'illiquidity', state: 'open' }])
  await hasLiquidity(200n)
  for (const missing of [null, 100n]) {
    await setReadings(missing, new Date(store.clock.now().getTime() - 3_600_001))
    await evaluate()
    expect(await states()).toMatchObject([{ state: 'open' }])
  }
  await setReadings(100n)
  await evaluate()
  expect(await states()).toMatchObject([{ state: 'recovering' }])
  store.clock.advance(60_000)
  await reading({ price: 1_000n })
  await setReadings(null)
  await evaluate()
  expect(await states(), 'it does not close on what is unknown').toMatchObject([{ state: 'recovering' }])
  await setReadings(100n)
  await evaluate()
  expect(await states()).toEqual([])
})
