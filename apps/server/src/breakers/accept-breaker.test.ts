// What was seen, and refused: surfaces/core/treasury/accept-circuit-breaker.test.ts.
import { beforeEach, expect, test } from 'vitest'
import { failingTransact } from '../../testing/index.ts'
import { useStore } from '../../testing/operations/use-store.ts'
import { acceptBreaker } from './accept-breaker.ts'
import { NO_BREAKERS } from './breaker-settings.ts'
import { evaluateBreakers } from './evaluate-breakers.ts'
import { listBreakers, type NamedBreaker, stoppedStrategies } from './read-breakers.ts'
import { setBreakerSettings } from './set-breaker-settings.ts'

const store = useStore()
let organizationId: number
beforeEach(async () => {
  organizationId = await store.organization()
  await store.db.deleteFrom('strategy_prices').execute()
  const { id: strategy_id } = store.strategy
  const at = store.clock.now()
  await store.db
    .insertInto('strategy_prices')
    .values({ strategy_id, day: '2026-01-01', price: 1_000n, read_at: at })
    .execute()
  await setBreakerSettings(store.parts, { organizationId, settings: { ...NO_BREAKERS, priceFallBps: 100 } })
  await price(970n)
})
async function read(price: bigint) {
  const at = store.clock.now()
  await store.db.updateTable('strategies').set({ price, price_at: at, rates_at: at }).execute()
}
async function price(price: bigint) {
  await read(price)
  await evaluateBreakers(store.parts)
}
const accept = (transact?: Parameters<typeof acceptBreaker>[2]) =>
  acceptBreaker(store.parts, { organizationId, strategyId: store.strategy.id, kind: 'price_fall' }, transact)
const states = async () => (await listBreakers(store.db, organizationId)).map(({ state }) => state)

test('what is accepted is what was announced, and it opens again when that gets worse', async () => {
  await price(950n)
  expect(await accept()).toMatchObject({ state: 'accepted', measure: 500, acceptedMeasure: 500 })
  expect((await stoppedStrategies(store.db, organizationId)).size).toBe(0)
  await price(941n)
  expect(await states()).toEqual(['accepted'])
  await price(939n)
  expect(await states()).toEqual(['open'])
  const sent = store.db.selectFrom('outbox').select('event').where('organization_id', '=', organizationId).orderBy('id')
  expect((await sent.execute()).map(({ event }) => event.split('_')[1])).toEqual([
    'opened',
    'opened',
    'closed',
    'opened',
  ])
})

test('what is there is accepted where that is less bad than what was announced', async () => {
  await read(980n)
  expect(await accept()).toMatchObject({ state: 'accepted', acceptedMeasure: 200, observed: { measure: 300 } })
  await price(969n)
  expect(await states()).toEqual(['open'])
})

test('only an open breaker is accepted, once, and together with its event', async () => {
  const failing = failingTransact<NamedBreaker>(store.db, 'the response could not be stored')
  await expect(accept(failing)).rejects.toThrow('could not be stored')
  expect(await states()).toEqual(['open'])
  const both = await Promise.allSettled([accept(), accept()])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  await expect(accept()).rejects.toMatchObject({ code: 'CONFLICT', details: { reason: 'breaker_not_open' } })
  const unknown = { organizationId, strategyId: 999_999, kind: 'depeg' } as const
  await expect(acceptBreaker(store.parts, unknown)).rejects.toMatchObject({ code: 'STRATEGY_NOT_FOUND' })
})
