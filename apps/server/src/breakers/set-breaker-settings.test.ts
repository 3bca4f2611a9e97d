// Also tested elsewhere: what settings do to facts (evaluate-breakers.test.ts, judge-breaker.test.ts), and settings over
// HTTP (surfaces/core/treasury/circuit-breakers.test.ts).
import { beforeEach, expect, test } from 'vitest'
import { failingTransact } from '../../testing/index.ts'
import { useStore } from '../../testing/operations/use-store.ts'
import { NO_BREAKERS } from './breaker-settings.ts'
import { type BreakerSettingsInForce, listBreakers, readBreakerSettings } from './read-breakers.ts'
import { setBreakerSettings } from './set-breaker-settings.ts'

const store = useStore()
let organizationId: number
beforeEach(async () => {
  organizationId = await store.organization()
})
const settings = { ...NO_BREAKERS, priceFallBps: 100 }

test('settings are stored as a whole, and belong to one organization', async () => {
  const other = await store.organization()
  await setBreakerSettings(store.parts, { organizationId, settings })
  expect(await readBreakerSettings(store.db, organizationId)).toEqual({ settings, updatedAt: store.clock.now() })
  expect(await readBreakerSettings(store.db, other)).toEqual({ settings: NO_BREAKERS, updatedAt: null })
})

test('settings that somebody else set meanwhile are not overwritten by those of an older page', async () => {
  const save = (priceFallBps: number, basedOn?: Date | null) =>
    setBreakerSettings(store.parts, { organizationId, settings: { ...NO_BREAKERS, priceFallBps }, basedOn })
  // Of two that were made while nobody had set any, one wins.
  const both = await Promise.allSettled([save(1, null), save(2, null)])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const { updatedAt } = await readBreakerSettings(store.db, organizationId)
  store.clock.advance(1_000)
  await save(3, updatedAt)
  const at = store.clock.now()
  for (const old of [null, updatedAt])
    await expect(save(4, old)).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { reason: 'changed_meanwhile', updatedAt: at.toISOString() },
    })
  expect(await readBreakerSettings(store.db, organizationId)).toMatchObject({ settings: { priceFallBps: 3 } })
  await save(5)
  expect(await readBreakerSettings(store.db, organizationId)).toMatchObject({ settings: { priceFallBps: 5 } })
})

test('a breaker that is switched off closes with an event, in the transaction of the change', async () => {
  await setBreakerSettings(store.parts, { organizationId, settings })
  await store.db
    .insertInto('circuit_breakers')
    .values({
      organization_id: organizationId,
      strategy_id: store.strategy.id,
      kind: 'price_fall',
      state: 'open',
      measure: 300,
      opened_at: store.clock.now(),
      updated_at: store.clock.now(),
    })
    .execute()
  const failing = failingTransact<BreakerSettingsInForce>(store.db, 'the response could not be stored')
  const off = { organizationId, settings: NO_BREAKERS }
  await expect(setBreakerSettings(store.parts, off, failing)).rejects.toThrow('could not be stored')
  expect(await listBreakers(store.db, organizationId)).toMatchObject([{ state: 'open' }])
  await setBreakerSettings(store.parts, off)
  expect(await listBreakers(store.db, organizationId)).toEqual([])
  const sent = store.db.selectFrom('outbox').select('event').where('organization_id', '=', organizationId)
  expect(await sent.execute()).toEqual([{ event: 'strategy.breaker_closed' }])
})
