import { expect, test } from 'vitest'
import { normalizeAddress } from './address.ts'
import { LIVE_EVM_NETWORKS } from './live-networks.ts'

test('every token address of the public networks has a valid checksum, and no symbol or chain id comes twice', () => {
  expect(new Set(LIVE_EVM_NETWORKS.map(({ chainId }) => chainId)).size).toBe(LIVE_EVM_NETWORKS.length)
  for (const { blockchain, tokens } of LIVE_EVM_NETWORKS) {
    expect(new Set(tokens.map(({ symbol }) => symbol)).size).toBe(tokens.length)
    for (const { address } of tokens) expect(normalizeAddress(blockchain, address)).toBe(address)
  }
})
