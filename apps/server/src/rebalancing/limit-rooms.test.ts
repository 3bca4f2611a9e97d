import fc from 'fast-check'
import { expect, test } from 'vitest'
import { coveredBy, NO_LIMITS } from './deposit-limits.ts'
import { limitRooms, type StrategyUse, tighter } from './limit-rooms.ts'

const E12 = 10n ** 12n
function use(id: number, inside: bigint, overrides: Partial<StrategyUse['strategy']> = {}): StrategyUse {
  const strategy = {
    id,
    venueName: 'Morpho',
    protocol: 'erc4626',
    blockchain: 'base',
    tokenDecimals: 6,
    params: {},
    tvl: 10_000n,
    liquidity: 1_000n,
  }
  return { strategy: { ...strategy, ...overrides }, inside, price: 100n, peak: 100n, readValue: 0n, withdrawable: 0n }
}
const amounts = (rooms: ReturnType<typeof limitRooms>) =>
  Object.fromEntries([...rooms].map(([id, { amount }]) => [id, amount]))

test('without limits no strategy has a bound', () => {
  expect(limitRooms(NO_LIMITS, [use(1, 5n)], 100n * E12)).toEqual(new Map())
})

test('a cap counts everything it covers together, in the units of each token', () => {
  const caps = [{ kind: 'protocol', of: 'morpho', shareBps: 5_000 }] as const
  const uses = [use(1, 20n), use(2, 10n ** 13n, { tokenDecimals: 18 }), use(3, 7n, { venueName: 'Fluid' })]
  // 50 of 100, of which 20 and 10 are used.
  expect(amounts(limitRooms({ ...NO_LIMITS, caps }, uses, 100n * E12))).toEqual({ 1: 20n, 2: 20n * E12 })
})

test('caps by strategy, protocol identifier and blockchain cover what they name, and nothing else', () => {
  const { strategy } = use(12, 0n)
  const cap = (kind: 'strategy' | 'protocol' | 'blockchain', of: string) => ({ kind, of, shareBps: 0 })
  expect(coveredBy(cap('strategy', '12'), strategy)).toBe(true)
  expect(coveredBy(cap('strategy', '1'), strategy)).toBe(false)
  expect(coveredBy(cap('protocol', 'ERC4626'), strategy)).toBe(true)
  expect(coveredBy(cap('protocol', 'base'), strategy)).toBe(false)
  expect(coveredBy(cap('blockchain', 'Base'), strategy)).toBe(true)
  expect(coveredBy(cap('blockchain', 'ethereum'), strategy)).toBe(false)
})

test('a strategy off the allow-list has less than no room, even when it is empty', () => {
  const rooms = limitRooms({ ...NO_LIMITS, allowedStrategies: [1] }, [use(1, 5n), use(2, 0n)], E12)
  expect(rooms.has(1)).toBe(false)
  expect(rooms.get(2)!.amount).toBeLessThan(0n)
  expect(rooms.get(2)!.because).toContain('allow-list')
})

test('after a fall of the share price beyond the limit a strategy takes nothing, and up to it it does', () => {
  const limits = { ...NO_LIMITS, priceFallBps: 100 }
  const fallen = (price: bigint | null, peak: bigint | null) => ({ ...use(1, 5n), price, peak })
  expect(limitRooms(limits, [fallen(9_899n, 10_000n)], 0n).get(1)).toEqual({
    amount: -6n,
    because: 'its share price fell by more than 1 % within 30 days',
  })
  for (const unharmed of [fallen(9_900n, 10_000n), fallen(null, null), fallen(1n, null)])
    expect(limitRooms(limits, [unharmed], 0n).size).toBe(0)
})

test('while too little of the position could be withdrawn, a strategy takes nothing', () => {
  const limits = { ...NO_LIMITS, withdrawableShareBps: 2_000 }
  const held = (readValue: bigint, withdrawable: bigint) => ({ ...use(1, readValue), readValue, withdrawable })
  expect(limitRooms(limits, [held(1_000n, 199n)], 0n).get(1)!.amount).toBeLessThan(0n)
  for (const fine of [held(1_000n, 200n), held(0n, 0n)]) expect(limitRooms(limits, [fine], 0n).size).toBe(0)
})

test('shares of a pool count its TVL and what it does not lend out, and an unread pool has no room', () => {
  const limits = { ...NO_LIMITS, poolShareBps: 1_000, liquidityShareBps: 5_000 }
  const pool = { protocol: 'aave-v3' }
  const uses = [use(1, 300n, pool), use(2, 300n), use(3, 1n, { ...pool, tvl: null, liquidity: null })]
  expect(amounts(limitRooms(limits, uses, 0n))).toEqual({ 1: 200n, 2: 700n, 3: -1n })
})

test('what a vault does not lend out counts once it tells that', () => {
  const limits = { ...NO_LIMITS, liquidityShareBps: 2_500 }
  const untold = use(1, 100n)
  const told = use(2, 100n, { params: { cash: 'reported' } })
  const fluid = use(3, 100n, { params: { cash: 'fluid' } })
  expect(amounts(limitRooms(limits, [untold, told, fluid], 0n))).toEqual({ 2: 150n, 3: 150n })
})

test('no deposit within the room of every covered strategy exceeds a cap', () => {
  const small = fc.bigInt({ min: 0n, max: 10n ** 9n })
  fc.assert(
    fc.property(fc.array(small, { minLength: 1, maxLength: 5 }), small, fc.nat(10_000), (insides, whole, shareBps) => {
      const uses = insides.map((inside, id) => use(id, inside, { tokenDecimals: id % 2 === 0 ? 6 : 18 }))
      const caps = [{ kind: 'blockchain', of: 'base', shareBps }] as const
      const limits = { ...NO_LIMITS, caps }
      for (const { strategy } of uses) {
        const room = limitRooms(limits, uses, whole * E12).get(strategy.id)!
        const after = uses.map((one) =>
          one.strategy.id === strategy.id ? { ...one, inside: one.inside + room.amount } : one,
        )
        const left = limitRooms(limits, after, whole * E12).get(strategy.id)!.amount
        expect(left).toBeGreaterThanOrEqual(0n)
        expect(left).toBeLessThanOrEqual(0n)
      }
    }),
  )
})

test('of two rooms the smaller one counts, and an exceeded limit leaves nothing', () => {
  const room = (amount: bigint) => ({ amount, because: `${amount}` })
  expect(tighter(room(5n), room(3n))).toEqual(room(3n))
  expect(tighter(room(5n), undefined)).toEqual(room(5n))
  expect(tighter(room(-5n), room(3n))).toEqual({ amount: 0n, because: '-5' })
})
