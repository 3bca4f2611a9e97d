import { expect, test } from 'vitest'
import { type Breaker, newBreaker, parseBreaker, type StoredBreaker, storedBreakerOf } from './breaker.ts'
import { type BreakerSettings, NO_BREAKERS } from './breaker-settings.ts'
import { type BreakerFacts, judgeBreaker } from './judge-breaker.ts'

const NOW = new Date('2026-01-10T00:00:00Z')
const SETTINGS: BreakerSettings = {
  priceFallBps: 100,
  pegDistanceBps: 200,
  withdrawableShareBps: 2_000,
  onUpgrade: true,
  withdraw: false,
  recoverySeconds: 3_600,
}
const FINE: BreakerFacts = {
  isFresh: true,
  price: 1_000n,
  peak: 1_000n,
  tokenPrice: 100_000_000n,
  value: 1_000n,
  readValue: 1_000n,
  withdrawable: 1_000n,
  isLiquidityFresh: true,
  code: 'a',
}
const breaker = (kind: Breaker['kind'], change: Partial<StoredBreaker> = {}): Breaker =>
  parseBreaker({
    ...storedBreakerOf(newBreaker({ organizationId: 1, strategyId: 2, kind })),
    acceptedCode: 'a',
    openedAt: NOW,
    fineSince: change.state === 'recovering' ? NOW : null,
    ...change,
  })
const judge = (one: Breaker, facts: Partial<BreakerFacts>, settings = SETTINGS) =>
  judgeBreaker(one, settings, { ...FINE, ...facts }, NOW)

test.each([
  ['price_fall', { price: 990n }, { price: 989n }, 110],
  ['depeg', { tokenPrice: 98_000_000n }, { tokenPrice: 97_999_999n }, 201],
  ['depeg', { tokenPrice: 102_000_000n }, { tokenPrice: 102_000_001n }, 201],
  ['illiquidity', { withdrawable: 200n }, { withdrawable: 199n }, 1_990],
  ['upgrade', { code: 'a' }, { code: 'b' }, null],
] as const)('%s: the threshold itself is within, one unit more opens the breaker', (kind, within, beyond, measure) => {
  expect(judge(breaker(kind), within)).toBeUndefined()
  expect(judge(breaker(kind), beyond)).toEqual({ event: 'tripped', measure })
  const observed = { measure, code: 'b', at: NOW }
  expect(judge(breaker(kind, { state: 'recovering', observed }), beyond)).toMatchObject({ event: 'tripped' })
  expect(judge(breaker(kind, { state: 'open', observed }), beyond)).toBeUndefined()
  // Opened by the version before, which did not say what it announced.
  expect(judge(breaker(kind, { state: 'open' }), beyond)).toEqual({ event: 'worsened', measure })
})

test.each([
  ['price_fall', { price: null }],
  ['price_fall', { peak: null }],
  ['depeg', { tokenPrice: null }],
  ['illiquidity', { readValue: 0n, withdrawable: 0n }],
  ['upgrade', { code: null }],
] as const)('an unknown fact neither opens nor closes a breaker: %s', (kind, unknown) => {
  for (const state of ['closed', 'open', 'accepted'] as const)
    expect(judge(breaker(kind, { state }), unknown)).toBeUndefined()
  // It was not fine all the time.
  const recovering = breaker(kind, { state: 'recovering', measure: 5, fineSince: new Date(0) })
  expect(judge(recovering, unknown)).toEqual(kind === 'illiquidity' ? undefined : { event: 'lost', measure: 5 })
  expect(judge(recovering, { ...unknown, isFresh: false })).toEqual({ event: 'lost', measure: 5 })
})

test('old readings open a breaker and close none', () => {
  expect(judge(breaker('price_fall'), { isFresh: false, price: 1n })).toMatchObject({ event: 'tripped' })
  expect(judge(breaker('price_fall', { state: 'open' }), { isFresh: false })).toBeUndefined()
  const fineSince = new Date(0)
  expect(judge(breaker('price_fall', { state: 'recovering', fineSince }), { isFresh: false })).toMatchObject({
    event: 'lost',
  })
  const old = { isLiquidityFresh: false }
  expect(judge(breaker('illiquidity'), { ...old, withdrawable: 0n })).toMatchObject({ event: 'tripped' })
  expect(judge(breaker('illiquidity', { state: 'recovering', fineSince }), old)).toBeUndefined()
  expect(judge(breaker('price_fall', { state: 'recovering', fineSince }), old)).toMatchObject({ event: 'held' })
})

test('a breaker closes when its fact was fine for the set time, not a millisecond earlier', () => {
  const since = (ago: number) => breaker('depeg', { state: 'recovering', fineSince: new Date(NOW.getTime() - ago) })
  expect(judge(breaker('depeg', { state: 'open' }), {})).toEqual({ event: 'recovered', measure: 0 })
  expect(judge(since(3_599_999), {})).toBeUndefined()
  expect(judge(since(3_600_000), {})).toEqual({ event: 'held', measure: 0 })
})

test.each([
  ['price_fall', 300, { price: 960n }, { price: 959n }],
  ['depeg', 300, { tokenPrice: 95_000_000n }, { tokenPrice: 94_999_999n }],
  ['illiquidity', 1_000, { withdrawable: 50n }, { withdrawable: 49n }],
  ['upgrade', null, { code: 'b' }, { code: 'c' }],
] as const)('%s: an open breaker announces what is worse than what it announced', (kind, measure, same, worse) => {
  const observed = { measure, code: kind === 'upgrade' ? 'b' : null, at: NOW }
  expect(judge(breaker(kind, { state: 'open', observed }), same)).toBeUndefined()
  expect(judge(breaker(kind, { state: 'recovering', observed }), same)).toMatchObject({ event: 'tripped' })
  for (const state of ['open', 'recovering'] as const)
    expect(judge(breaker(kind, { state, observed }), worse)).toMatchObject({ event: 'worsened' })
})

test('what somebody accepted opens the breaker again when it gets worse by the threshold', () => {
  const fallen = breaker('price_fall', { state: 'accepted', acceptedMeasure: 300 })
  expect(judge(fallen, { price: 970n })).toBeUndefined()
  expect(judge(fallen, { price: 960n })).toBeUndefined()
  expect(judge(fallen, { price: 959n })).toEqual({ event: 'tripped', measure: 410 })
  expect(judge(fallen, { price: 995n })).toEqual({ event: 'recovered', measure: 50 })
  const stuck = breaker('illiquidity', { state: 'accepted', acceptedMeasure: 1_000 })
  expect(judge(stuck, { withdrawable: 0n })).toBeUndefined()
  const upgraded = breaker('upgrade', { state: 'accepted', acceptedCode: 'b' })
  expect(judge(upgraded, { code: 'b' })).toMatchObject({ event: 'recovered' })
  expect(judge(upgraded, { code: 'c' })).toMatchObject({ event: 'tripped' })
})

test('a breaker that is switched off closes, whatever the facts', () => {
  for (const kind of ['price_fall', 'depeg', 'illiquidity', 'upgrade'] as const) {
    expect(judge(breaker(kind, { state: 'open' }), { price: 1n }, NO_BREAKERS)).toMatchObject({ event: 'switched_off' })
    expect(judge(breaker(kind), { price: 1n, tokenPrice: 1n, code: 'b' }, NO_BREAKERS)).toBeUndefined()
  }
})

test('without a position nothing can be stuck', () => {
  expect(judge(breaker('illiquidity'), { value: 0n, readValue: 0n, withdrawable: 0n })).toBeUndefined()
})
