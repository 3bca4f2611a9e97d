import { base58 } from '@scure/base'
import { expect, test } from 'vitest'
import { normalizeAddress } from './addresses/normalize-address.ts'
import { LIVE_EVM_NETWORKS, LIVE_SOLANA_NETWORK } from './live-networks.ts'

test('every token and feed of the public networks has a valid checksum, and symbols and chain ids are unique', () => {
  expect(new Set(LIVE_EVM_NETWORKS.map(({ chainId }) => chainId)).size).toBe(LIVE_EVM_NETWORKS.length)
  for (const { blockchain, tokens } of [...LIVE_EVM_NETWORKS, LIVE_SOLANA_NETWORK]) {
    expect(new Set(tokens.map(({ symbol }) => symbol)).size).toBe(tokens.length)
    for (const { address, usdFeed = address } of tokens)
      for (const each of [address, usdFeed]) expect(normalizeAddress(blockchain, each)).toBe(each)
  }
})

test('the genesis hash of Solana is 32 bytes and starts with its name in the registry of chain names', () => {
  const { genesisHash = '' } = LIVE_SOLANA_NETWORK
  expect(base58.decode(genesisHash)).toHaveLength(32)
  expect(genesisHash.slice(0, 32)).toBe('5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp')
})
