// Feeds on a chain: venues/refresh-risk-facts.test.ts.
import { expect, test } from 'vitest'
import { readFeeds } from './read-feeds.ts'

const TOKEN = '0x000000000000000000000000000000000000dEaD'

/** A feed that reports this, as its contract returns it. */
const read = (answer: bigint, updatedAt: bigint) =>
  readFeeds({ multicall: async () => [8, [1n, answer, 0n, updatedAt, 1n]] }, [{ address: TOKEN, usdFeed: TOKEN }])

test('a feed without a price, or with a time that does not exist, is omitted', async () => {
  const pricedAt = new Date('2026-01-01T00:00:00Z')
  expect(await read(99_990_000n, 1_767_225_600n)).toEqual([{ tokenAddress: TOKEN, price: 99_990_000n, pricedAt }])
  for (const price of [0n, -1n]) expect(await read(price, 1_767_225_600n)).toEqual([])
  for (const time of [0n, 8_640_000_000_001n, 2n ** 256n - 1n]) expect(await read(99_990_000n, time)).toEqual([])
})
