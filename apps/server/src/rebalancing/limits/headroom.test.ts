import fc from 'fast-check'
import { expect, test } from 'vitest'
import { coveredBy, NO_LIMITS } from './deposit-limits.ts'
import { limitHeadrooms, type StrategyUse, tighter } from './headroom.ts'

const E12 = 10n ** 12n
function use(id: number, inside: bigint, overrides: Partial<StrategyUse['strategy']> = {}): StrategyUse {
  const strategy = {
    id,
    venueName: 'Morpho',
    protocol: 'erc4626',
    blockchain: 'base',
    tokenDecimals: 6,
    tvl: 10_000n,
    liquidity: 1_000n,
  }
  return { strategy: { ...strategy, ...overrides }, inside, price: 100n, peak: 100n, readValue: 0n, withdrawable: 0n }
}
const amounts = (headrooms: ReturnType<typeof limitHeadrooms>) =>
  Object.fromEntries([...headrooms].map(([id, { amount }]) => [id, amount]))

test('without limits no strategy has a bound', () => {
  expect(limitHeadrooms(NO_LIMITS, [use(1, 5n)], 100n * E12)).toEqual(new Map())
})

test('a cap counts everything it covers together, in the units of each token', () => {
  const caps = [{ kind: 'protocol', of: 'morpho', shareBps: 5_000 }] as const
  const uses = [use(1, 20n), use(2, 10n ** 13n, { tokenDecimals: 18 }), use(3, 7n, { venueName: 'Fluid' })]
  // 50 of 100, of which 20 and 10 are used.
  expect(amounts(limitHeadrooms({ ...NO_LIMITS, caps }, uses, 100n * E12))).toEqual({ 1: 20n, 2: 20n * E12 })
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

test('a strategy off the allow-list has negative headroom, even when it is empty', () => {
  const headrooms = limitHeadrooms({ ...NO_LIMITS, allowedStrategies: [1] }, [use(1, 5n), use(2, 0n)], E12)
  expect(headrooms.has(1)).toBe(false)
  expect(headrooms.get(2)!.amount).toBeLessThan(0n)
  expect(headrooms.get(2)!.because).toContain('allow-list')
})

test('after a fall of the share price beyond the limit a strategy takes nothing, and up to it it does', () => {
  const limits = { ...NO_LIMITS, priceFallBps: 100 }
  const fallen = (price: bigint | null, peak: bigint | null) => ({ ...use(1, 5n), price, peak })
  expect(limitHeadrooms(limits, [fallen(9_899n, 10_000n)], 0n).get(1)).toEqual({
    amount: -6n,
    because: 'its share price fell by more than 1% within 30 days',
  })
  for (const unharmed of [fallen(9_900n, 10_000n), fallen(null, null), fallen(1n, null)])
    expect(limitHeadrooms(limits, [unharmed], 0n).size).toBe(0)
})

test('while too little of the position could be withdrawn, a strategy takes nothing', () => {
  const limits = { ...NO_LIMITS, withdrawableShareBps: 2_000 }
  const held = (readValue: bigint, withdrawable: bigint) => ({ ...use(1, readValue), readValue, withdrawable })
  expect(limitHeadrooms(limits, [held(1_000n, 199n)], 0n).get(1)!.amount).toBeLessThan(0n)
  for (const fine of [held(1_000n, 200n), held(0n, 0n)]) expect(limitHeadrooms(limits, [fine], 0n).size).toBe(0)
})

test('shares of a pool count its TVL and what it does not lend out, and an unread pool has no headroom', () => {
  const limits = { ...NO_LIMITS, poolShareBps: 1_000, liquidityShareBps: 5_000 }
  const pool = { protocol: 'aave-v3' }
  const uses = [
    use(1, 300n, pool),
    use(2, 300n, { liquidity: null }),
    use(3, 1n, { ...pool, tvl: null, liquidity: null }),
  ]
  expect(amounts(limitHeadrooms(limits, uses, 0n))).toEqual({ 1: 200n, 2: 700n, 3: -1n })
})

test('what a vault does not lend out counts once the vault reports it', () => {
  const limits = { ...NO_LIMITS, liquidityShareBps: 2_500 }
  const untold = use(1, 100n, { liquidity: null })
  const told = use(2, 100n)
  const unread = use(3, 100n, { tvl: null, liquidity: null })
  const slow = use(4, 100n, { protocol: 'erc7540', liquidity: 0n })
  expect(amounts(limitHeadrooms(limits, [untold, told, unread, slow], 0n))).toEqual({ 2: 150n, 3: -100n })
})

test('no deposit within the headroom of every covered strategy exceeds a cap', () => {
  const small = fc.bigInt({ min: 0n, max: 10n ** 9n })
  fc.assert(
    fc.property(fc.array(small, { minLength: 1, maxLength: 5 }), small, fc.nat(10_000), (insides, whole, shareBps) => {
      const uses = insides.map((inside, id) => use(id, inside, { tokenDecimals: id % 2 === 0 ? 6 : 18 }))
      const caps = [{ kind: 'blockchain', of: 'base', shareBps }] as const
      const limits = { ...NO_LIMITS, caps }
      for (const { strategy } of uses) {
        const headroom = limitHeadrooms(limits, uses, whole * E12).get(strategy.id)!
        const after = uses.map((one) =>
          one.strategy.id === strategy.id ? { ...one, inside: one.inside + headroom.amount } : one,
        )
        const left = limitHeadrooms(limits, after, whole * E12).get(strategy.id)!.amount
        expect(left).toBeGreaterThanOrEqual(0n)
        expect(left).toBeLessThanOrEqual(0n)
      }
    }),
  )
})

test('the smaller of two headrooms counts, and an exceeded limit leaves nothing', () => {
  const headroom = (amount: bigint) => ({ amount, because: `${amount}` })
  expect(tighter(headroom(5n), headroom(3n))).toEqual(headroom(3n))
  expect(tighter(headroom(5n), undefined)).toEqual(headroom(5n))
  expect(tighter(headroom(-5n), headroom(3n))).toEqual({ amount: 0n, because: '-5' })
})

test('deposits that grow the pool stop at a twentieth of the position, instead of following each other without end', () => {
  const limits = { ...NO_LIMITS, poolShareBps: 2_500 }
  let [tvl, inside] = [10n ** 12n, 0n]
  const deposits: bigint[] = []
  for (;;) {
    const { amount } = limitHeadrooms(limits, [use(1, inside, { tvl })], 0n).get(1)!
    expect(amount).toBeGreaterThanOrEqual(0n)
    if (amount === 0n) break
    deposits.push(amount)
    tvl += amount
    inside += amount
  }
  expect(deposits).toEqual([250_000_000_000n, 62_500_000_000n, 15_625_000_000n])
  expect(amounts(limitHeadrooms(limits, [use(1, inside + 1n, { tvl: inside })], 0n))[1]).toBeLessThan(0n)
})
