import { afterAll, beforeAll, expect, test } from 'vitest'
import { answering } from '../../../testing/venues/answering.ts'
import { type Market, startMarket } from '../../../testing/venues/market.ts'
import { ANYONE } from '../erc4626/deposit-terms.ts'
import type { ListedKind, ListedVenue } from './listed-venue.ts'
import { parseVenuesFile } from './parse-venues-file.ts'
import { readListedVenue } from './read-listed-venue.ts'

/** What a start does with such an entry: accept-venues-file.test.ts. */

let market: Market
beforeAll(async () => {
  market = await startMarket('polygon')
})
afterAll(() => market.stop())

function entryFor(key: string, kind: ListedKind = 'erc4626'): ListedVenue {
  const entry = {
    blockchain: 'polygon',
    kind,
    address: market.strategy(key).params.vault!,
    source: 'https://vault.example',
  }
  return parseVenuesFile(JSON.stringify({ version: 1, venues: [entry] }))[0]!
}

/** The code with which an entry is refused, when its contract answers like this. */
async function problemOf(venue: ListedVenue, answers: Parameters<typeof answering>[1]): Promise<string | undefined> {
  const read = await readListedVenue(answering(market.chain, answers), venue)
  return 'problem' in read ? read.problem.code : undefined
}

test('vaults that answer as their kinds should are accepted', async () => {
  expect(await problemOf(entryFor('erc4626:polygon:USDC'), {})).toBeUndefined()
  expect(await problemOf(entryFor('erc7540:polygon:USDC', 'erc7540'), {})).toBeUndefined()
})

test.each([
  ['takes deposits by request', { supportsInterface: ([id]: readonly unknown[]) => id === '0xce3bbe50' }, 'WRONG_KIND'],
  ['has another number of decimals', { decimals: () => 18 }, 'UNKNOWN_TOKEN'],
  ['does not report what it has', { totalAssets: () => undefined }, 'UNREADABLE'],
  ['does not report what shares somebody has', { balanceOf: () => undefined }, 'UNREADABLE'],
  ['issues the shares of another contract', { share: () => ANYONE }, 'WRONG_KIND'],
])('a vault that %s is refused', async (_what, answers, code) => {
  expect(await problemOf(entryFor('erc4626:polygon:USDC'), answers)).toBe(code)
})

test.each([
  ['does not report what somebody requested back', { pendingRedeemRequest: () => undefined }, 'UNREADABLE'],
  ['does not report what somebody could claim', { maxWithdraw: () => undefined }, 'UNREADABLE'],
  ['issues the shares of another contract', { share: () => ANYONE }, 'WRONG_KIND'],
])('a vault that pays by request and %s is refused', async (_what, answers, code) => {
  expect(await problemOf(entryFor('erc7540:polygon:USDC', 'erc7540'), answers)).toBe(code)
})

test('a vault that announces fees is accepted with a hint', async () => {
  const half = { previewDeposit: ([assets]: readonly unknown[]) => ((assets as bigint) * 10n ** 12n * 9n) / 10n }
  const read = await readListedVenue(answering(market.chain, half), entryFor('erc4626:polygon:USDC'))
  expect(read).toMatchObject({
    hints: [{ code: 'KEEPS_FEES', message: expect.stringMatching(/of each deposit, so Weir/) }],
  })
})
