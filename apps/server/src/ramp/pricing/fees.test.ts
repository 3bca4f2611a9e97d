import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { quoteAtPar, splitCents } from './fees.ts'

describe('fees', () => {
  const cents = fc.bigInt({ min: 0n, max: 10n ** 15n })
  const points = fc.nat(10_000)

  test('fee and net amount sum to the whole, and the tokens are worth the net amount, to the cent', () => {
    fc.assert(
      fc.property(cents, points, points, (usdCents, feeBasisPoints, developerShareBasisPoints) => {
        const terms = { feeBasisPoints, developerShareBasisPoints }
        const quote = quoteAtPar({ direction: 'onramp', usdCents, tokenDecimals: 6, terms })
        expect(quote.feeCents + quote.netCents).toBe(usdCents)
        expect(quote.developerFeeCents <= quote.feeCents).toBe(true)
        expect(quote.tokenAmount).toBe(quote.netCents * 10_000n)
        const exact = usdCents * BigInt(feeBasisPoints)
        const twice = 2n * (quote.feeCents * 10_000n - exact)
        expect(twice > -10_000n && twice <= 10_000n).toBe(true)
      }),
    )
  })

  test.each([
    [2_00n, 1n],
    [1_99n, 0n],
    [6_00n, 2n],
    [50_000_00n, 125_00n],
  ])('a quarter of a percent of %s cents is %s, half a cent rounded up', (usdCents, fee) => {
    const terms = { feeBasisPoints: 25, developerShareBasisPoints: 2_000 }
    expect(quoteAtPar({ direction: 'offramp', usdCents, tokenDecimals: 6, terms }).feeCents).toBe(fee)
  })

  test('tokens are rounded down to cents, and the remainder is kept as dust', () => {
    fc.assert(
      fc.property(cents, fc.integer({ min: 2, max: 18 }), (amount, decimals) => {
        const { cents: whole, dust } = splitCents(amount, decimals)
        const unit = 10n ** BigInt(decimals - 2)
        expect(whole * unit + dust).toBe(amount)
        expect(dust < unit).toBe(true)
      }),
    )
  })
})
