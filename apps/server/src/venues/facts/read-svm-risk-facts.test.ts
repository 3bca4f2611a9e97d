// `breakers/solana-breakers.test.ts` reads both facts from the embedded chain.
import { expect, test } from 'vitest'
import { priceIn } from './read-svm-risk-facts.ts'

const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'

/** An account of Pyth's receiver, as its program writes it. */
function account({ level = 1, price = 99_990_000n, exponent = -8, published = 1_767_225_600n, discriminator = 34 }) {
  const data = Buffer.alloc(134)
  Buffer.from([discriminator, 241, 35, 99, 157, 126, 244, 205]).copy(data)
  data[40] = level
  data.writeBigInt64LE(price, 73)
  data.writeInt32LE(exponent, 89)
  data.writeBigInt64LE(published, 93)
  return data
}

test('a verified price of any exponent is read in 1e-8 US dollars with the time that it was published', () => {
  const pricedAt = new Date('2026-01-01T00:00:00Z')
  expect(priceIn(MINT, account({}))).toEqual({ tokenAddress: MINT, price: 99_990_000n, pricedAt })
  expect(priceIn(MINT, account({ price: 9_999n, exponent: -4 }))).toMatchObject({ price: 99_990_000n })
  expect(priceIn(MINT, account({ price: 999_900_000_099n, exponent: -12 }))).toMatchObject({ price: 99_990_000n })
})

test('an account that is missing, short, another one, partly verified, or without a price is unknown', () => {
  const unknown = [
    undefined,
    account({}).subarray(0, 133),
    account({ discriminator: 35 }),
    account({ level: 0 }),
    account({ price: 0n }),
    account({ price: -1n }),
    account({ exponent: 1 }),
    account({ exponent: -19 }),
    account({ published: 0n }),
    account({ published: 8_640_000_000_001n }),
    account({ published: 2n ** 63n - 1n }),
  ]
  expect(unknown.map((data) => priceIn(MINT, data))).toEqual(unknown.map(() => undefined))
})
