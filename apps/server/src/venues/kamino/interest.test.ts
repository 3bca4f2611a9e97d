import { expect, test } from 'vitest'
import { kaminoVendor } from '../../../testing/venues/kamino-vendor.ts'
import { maxPlannedWithdrawal } from '../svm/max-planned-withdrawal.ts'
import {
  accrueTo,
  depositedSf,
  INTEREST_TERMS_OFFSETS,
  readInterestTerms,
  readReserve,
  redeemableAssets,
  sharesFor,
  supplyRate,
} from './index.ts'
import { supplyApy } from './interest.ts'
import { readMarket } from './market.ts'
import { priceOf } from './price.ts'

const ONE_SF = 1n << 60n
/** Decimal text with six places as millionths. */
const millionths = (text: string): bigint => BigInt(text.replace('.', ''))

for (const { name, account, market, decoded, terms, interest, rewards } of kaminoVendor.reserves) {
  const data = Buffer.from(account, 'base64')
  const reserve = readReserve(decoded.address, data)

  test(`${name}: its interest terms match what the vendor reads`, () => {
    const { hostFixedRateBps, protocolTakePct, curve, rewardsPerSlot, rewardsMaxAprBps } = termsOf({ account, market })
    expect({
      hostFixedRateBps: Number(hostFixedRateBps),
      protocolTakePct: Number(protocolTakePct),
      curve: curve.map((point) => point.map(Number)),
      rewardsPerSlot: rewardsPerSlot.toString(),
    }).toEqual(terms)
    expect(Number(rewardsMaxAprBps)).toBe(market.rewardsMaxAprBps)
  })

  if (interest === null || rewards === null) continue
  test(`${name}: debt, supply and a deposit's earnings grow as the vendor computes`, () => {
    const own = readInterestTerms(data, 0n)
    expect(supplyRate(reserve, own)).toBeCloseTo(interest.supplyRate, 12)
    for (const { slots, borrowed, supply } of interest.grown) {
      const grown = accrueTo(reserve, own, reserve.refreshedAt + BigInt(slots))
      expectAlmost(grown.borrowedSf, borrowed)
      expectAlmost(depositedSf(grown), supply)
    }
  })

  test.each(rewards)(`${name}: rewards raise supply and rate as the program distributes them, up to $limit`, (paid) => {
    const funded = { ...reserve, rewardsAvailable: BigInt(paid.available) }
    const own = { ...readInterestTerms(data, BigInt(paid.maxAprBps)), rewardsPerSlot: BigInt(paid.perSlot) }
    expect(supplyRate(funded, own)).toBeCloseTo(paid.supplyRate, 12)
    for (const { slots, distributed, supply } of paid.grown) {
      const grown = accrueTo(funded, own, reserve.refreshedAt + BigInt(slots))
      expect(grown.available - reserve.available).toBe(BigInt(distributed))
      expect(funded.rewardsAvailable - grown.rewardsAvailable).toBe(BigInt(distributed))
      expectAlmost(depositedSf(grown), supply)
    }
  })
}

/** Both sides round, by less than a hundred-millionth of a percent of the total. */
function expectAlmost(ours: bigint, theirs: string): void {
  const difference = (ours * 1_000_000n) / ONE_SF - millionths(theirs)
  const bound = millionths(theirs) / 10_000_000_000n
  expect(difference <= bound && -difference <= bound, `${difference} of ${theirs}`).toBe(true)
}

function termsOf({ account, market }: Pick<(typeof kaminoVendor.reserves)[number], 'account' | 'market'>) {
  const { rewardsMaxAprBps } = readMarket('market', Buffer.from(market.account, 'base64'))
  return readInterestTerms(Buffer.from(account, 'base64'), rewardsMaxAprBps)
}

test('rewards that are used up stop raising the price and the rate', () => {
  const { account, decoded, market } = kaminoVendor.reserves[0]!
  const stored = readReserve(decoded.address, Buffer.from(account, 'base64'))
  const own = { ...termsOf({ account, market }), curve: [[10_000n, 0n]] as const, hostFixedRateBps: 0n }
  const paidOut = accrueTo({ ...stored, rewardsAvailable: 1n }, own, stored.refreshedAt + 1n)
  expect(paidOut).toMatchObject({ available: stored.available + 1n, rewardsAvailable: 0n })
  expect(supplyRate(paidOut, own)).toBe(0)
  const later = accrueTo(paidOut, own, stored.refreshedAt + 1_000n)
  expect(priceOf(later)).toBe(priceOf(paidOut))
})

test('without shares there is nobody to pay rewards to', () => {
  const { account, decoded, market } = kaminoVendor.reserves[0]!
  const stored = { ...readReserve(decoded.address, Buffer.from(account, 'base64')), shares: 0n }
  const own = { ...termsOf({ account, market }), curve: [[10_000n, 0n]] as const }
  const { available, rewardsAvailable } = stored
  expect(accrueTo(stored, own, stored.refreshedAt + 1_000n)).toMatchObject({ available, rewardsAvailable })
  expect(supplyRate(stored, own)).toBe(0)
})

test('each interest term is at its documented offset', () => {
  const data = Buffer.from(kaminoVendor.reserves[1]!.account, 'base64')
  const before = readInterestTerms(data, 0n)
  for (const [part, offset] of Object.entries(INTEREST_TERMS_OFFSETS)) {
    const changed = Buffer.from(data)
    changed.writeUInt8(changed.readUInt8(offset) ^ 1, offset)
    const after = readInterestTerms(changed, 0n)
    const differing = Object.keys(before).filter(
      (key) => String(before[key as 'curve']) !== String(after[key as 'curve']),
    )
    expect(differing).toEqual([part])
  }
})

test('shares gain value with every slot, an intermediate refresh makes no material difference, and earlier slots change nothing', () => {
  const { account, decoded, market } = kaminoVendor.reserves[0]!
  const data = Buffer.from(account, 'base64')
  const [reserve, terms] = [readReserve(decoded.address, data), termsOf({ account, market })]
  const shares = 1_000_000_000_000n
  const at = (slots: bigint) => accrueTo(reserve, terms, reserve.refreshedAt + slots)
  expect(redeemableAssets(at(10_000n), shares)).toBeGreaterThan(redeemableAssets(at(0n), shares))
  const refreshed = accrueTo(at(5_000n), terms, reserve.refreshedAt + 10_000n)
  const difference = redeemableAssets(refreshed, shares) - redeemableAssets(at(10_000n), shares)
  expect(difference >= 0n ? difference : -difference).toBeLessThanOrEqual(shares / 1_000_000_000n)
  expect(accrueTo(reserve, terms, reserve.refreshedAt - 1n)).toBe(reserve)
})

test('the shares for all that can still be paid later are worth no more than the reserve holds after a day of interest', () => {
  const { account, decoded, market } = kaminoVendor.reserves[0]!
  const data = Buffer.from(account, 'base64')
  const [reserve, terms] = [readReserve(decoded.address, data), termsOf({ account, market })]
  const { available: held } = reserve
  const tomorrow = accrueTo(reserve, terms, reserve.refreshedAt + 86_400_000n / 400n)
  expect(redeemableAssets(tomorrow, sharesFor(reserve, held))).toBeGreaterThan(held)
  const later = maxPlannedWithdrawal({
    withdrawable: held,
    held,
    apy: supplyApy(reserve, terms),
    price: priceOf(reserve),
  })
  expect(redeemableAssets(tomorrow, sharesFor(reserve, later))).toBeLessThanOrEqual(held)
  expect(held - later).toBeLessThan(held / 2_000n)
})
