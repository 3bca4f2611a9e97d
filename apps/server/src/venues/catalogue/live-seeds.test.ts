import { isAddress } from 'viem'
import { expect, test } from 'vitest'
import { type Blockchain, LIVE_EVM_NETWORKS, LIVE_SOLANA_NETWORK, normalizeAddress } from '../../chains/index.ts'
import { contractsOf, rewardSourceOf } from '../readings.ts'
import { venueFor } from '../venue-for.ts'
import { liveSeeds } from './live-seeds.ts'

const seeds = liveSeeds(['ethereum', 'polygon', 'base', 'solana'])
const strategies = seeds.flatMap((venue) => venue.strategies.map((strategy) => ({ ...strategy, venue })))

test('every live address matches its checksum', () => {
  for (const { tokenAddress, params, venue } of strategies) {
    const how = Object.values(rewardSourceOf({ params }) ?? {})
    for (const address of [tokenAddress, ...Object.values(contractsOf({ params })), ...how]) {
      expect(normalizeAddress(venue.blockchain as Blockchain, address)).toBe(address)
    }
  }
})

test('every live strategy uses a token of its network and a protocol with an adapter, and is listed once', () => {
  for (const { tokenAddress, token, venue } of strategies) {
    const network = [...LIVE_EVM_NETWORKS, LIVE_SOLANA_NETWORK].find(
      ({ blockchain }) => blockchain === venue.blockchain,
    )
    expect(network?.tokens).toContainEqual(expect.objectContaining({ symbol: token, address: tokenAddress }))
    expect(venueFor(venue.protocol).protocol).toBe(venue.protocol)
  }
  expect(new Set(strategies.map(({ key }) => key)).size).toBe(strategies.length)
})

test('every market of Compound names the contract of its rewards and the feed of their token', () => {
  const markets = strategies.filter(({ venue }) => venue.protocol === 'compound-v3')
  for (const { params } of markets) expect(rewardSourceOf({ params })).toBeDefined()
  expect(markets).toHaveLength(3)
})

test('no parameter that is no contract is an address, which 0.2.0 would take for one that was exchanged', () => {
  for (const { params, venue } of strategies) {
    const others = Object.entries(params).filter(([name]) => !(name in contractsOf({ params })))
    for (const [, text] of others) expect(isAddress(text), `${venue.protocol} ${text}`).toBe(false)
  }
})

test('only served chains are listed', () => {
  expect(new Set(liveSeeds(['base']).map(({ blockchain }) => blockchain))).toEqual(new Set(['base']))
  expect(liveSeeds([])).toEqual([])
})
