import { expect, test } from 'vitest'
import type { Rpc } from '../../rpc/rpc.ts'
import { createBlockCache } from './block-cache.ts'

/**
 * A node of a cluster that abandons a fork, which our own chains never do: it returns the block of each slot by hash.
 */
function forking(hashes: Map<number, string>): { rpc: Rpc; asked: () => number } {
  let requestCount = 0
  const rpc: Rpc = {
    async tryRequest(_method, [slot]) {
      requestCount += 1
      const blockhash = hashes.get(slot as number)
      const block = { blockhash, previousBlockhash: '', parentSlot: 0, blockHeight: 1, blockTime: 1, transactions: [] }
      return { ok: true, result: blockhash === undefined ? null : block }
    },
    async request() {
      throw new Error('unexpected method')
    },
    endpointsByAvailability: () => [],
    isResting: () => false,
  }
  return { rpc, asked: () => requestCount }
}

test('a block that a fork may still replace is read again, and a final one is cached', async () => {
  const hashes = new Map([
    [7, 'seventh'],
    [8, 'of a fork'],
  ])
  const { rpc, asked: requestCount } = forking(hashes)
  const blocks = createBlockCache(rpc)
  blocks.recordFinalized(7)
  expect([(await blocks.block(7))?.hash, (await blocks.block(8))?.hash]).toEqual(['seventh', 'of a fork'])
  hashes.set(8, 'of the chain')
  expect([(await blocks.block(8))?.hash, (await blocks.header(8))?.hash]).toEqual(['of the chain', 'of the chain'])
  const before = requestCount()
  expect([(await blocks.block(7))?.hash, (await blocks.header(7))?.hash]).toEqual(['seventh', 'seventh'])
  expect(requestCount()).toBe(before)
})
