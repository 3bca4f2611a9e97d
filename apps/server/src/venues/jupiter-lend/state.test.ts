import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jupiterVendor } from '../../../testing/venues/jupiter-vendor.ts'
import { sharesToAssets } from '../svm/price.ts'
import { LENDING, POSITION, RESERVE, readHeld, readLending, readPosition, readReserve, readSupply } from './accounts.ts'
import { apyOf, type JupiterMarket, priceOf, tokenPriceOf, withdrawableFrom } from './state.ts'

const { addresses } = jupiterVendor.samples[0]!
const bytes = (name: keyof typeof jupiterVendor.accounts) => Buffer.from(jupiterVendor.accounts[name], 'base64')
const market: JupiterMarket = {
  lending: readLending('lending', bytes('lending')),
  reserve: readReserve('reserve', bytes('reserve')),
  position: readPosition('position', bytes('position')),
  held: 10n ** 15n,
  shares: 3n * 10n ** 14n,
}

test('every field is read as the vendor’s SDK wrote it', () => {
  expect(market.lending).toEqual({
    token: addresses.mint,
    shareMint: addresses.fTokenMint,
    liquidityPrice: 1_034_567_890_123n,
    tokenPrice: 1_045_678_901_234n,
  })
  expect(market.reserve).toEqual({
    borrowRate: 612n,
    fee: 1_000n,
    supplyPrice: 1_034_999_999_999n,
    borrowPrice: 1_061_234_567_890n,
    supplied: 410_000_000_000_007n,
    borrowed: 330_000_000_000_013n,
  })
  expect(market.position).toEqual({
    supplied: 300_000_000_000_031n,
    limit: 290_000_000_000_037n,
    updatedAt: 1_790_000_005n,
    expandPercent: 3_500n,
    expandSeconds: 21_600n,
    isPaused: false,
  })
})

test('an account of another kind or length is CHAIN_UNAVAILABLE, never a guess', () => {
  const refused = expect.objectContaining({ code: 'CHAIN_UNAVAILABLE' })
  const readers = [
    [readLending, 'lending', LENDING.size],
    [readReserve, 'reserve', RESERVE.size],
    [readPosition, 'position', POSITION.size],
  ] as const
  for (const [read, name, size] of readers) {
    expect(bytes(name)).toHaveLength(size)
    expect(() => read('x', undefined)).toThrow(refused)
    expect(() => read('x', bytes(name).subarray(0, size - 1))).toThrow(refused)
    const other = bytes(name)
    other[0]! ^= 1
    expect(() => read('x', other)).toThrow(refused)
  }
  for (const read of [readHeld, readSupply]) {
    expect(() => read('x', undefined)).toThrow(refused)
    expect(() => read('x', Buffer.alloc(40))).toThrow(refused)
  }
})

test('a position that is not active is paused', () => {
  for (const status of [1, 2]) {
    const data = bytes('position')
    data[POSITION.status] = status
    expect(readPosition('x', data).isPaused).toBe(true)
  }
})

test('shares are worth what the SDK says, rounded down', () => {
  for (const { shares, tokens } of jupiterVendor.worth) {
    const ours = sharesToAssets(BigInt(shares), priceOf(market))
    expect([BigInt(tokens), BigInt(tokens) - 1n]).toContain(ours)
  }
})

test('the price never falls while the reserve’s grows, and is the stored one without growth', () => {
  const at = (supplyPrice: bigint) => tokenPriceOf({ ...market, reserve: { ...market.reserve, supplyPrice } })
  expect(at(market.lending.liquidityPrice)).toBe(market.lending.tokenPrice)
  expect(at(0n)).toBe(market.lending.tokenPrice)
  const price = fc.bigInt({ min: 0n, max: 10n ** 13n })
  fc.assert(fc.property(price, price, (one, more) => at(one) <= at(one + more)))
})

test('the limit falls with time to its floor, and the vault pays no more than it holds', () => {
  const position = {
    ...market.position,
    supplied: 1_000n,
    limit: 1_000n,
    updatedAt: 50n,
    expandPercent: 2_000n,
    expandSeconds: 100n,
  }
  const reserve = { ...market.reserve, supplyPrice: 10n ** 12n }
  const at = (now: bigint, change: Partial<JupiterMarket> = {}) =>
    withdrawableFrom({ ...market, position, reserve, ...change }, now)
  expect([40n, 50n, 100n, 150n, 10_000n].map((now) => at(now))).toEqual([0n, 0n, 100n, 200n, 200n])
  expect(at(150n, { held: 70n })).toBe(70n)
  // A node's clock may lag behind the market's.
  expect(at(40n, { position: { ...position, limit: 900n } })).toBe(100n)
  expect(at(50n, { position: { ...position, limit: 0n } })).toBe(1_000n)
  expect(at(50n, { position: { ...position, expandSeconds: 0n } })).toBe(200n)
  expect(at(150n, { reserve: { ...reserve, supplyPrice: (3n * 10n ** 12n) / 2n } })).toBe(300n)
})

test('the rate is what borrowers pay for the lent part, after the fee', () => {
  // 6.12% on 82.5% of the supply, less a tenth, compounded.
  expect(apyOf(market)).toBeCloseTo(Math.expm1(0.0612 * 0.9 * ((330 * 1.06123456789) / (410 * 1.034999999999))), 6)
  expect(apyOf({ reserve: { ...market.reserve, supplied: 0n } })).toBe(0)
})
