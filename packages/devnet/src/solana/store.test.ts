import type { Address, Signature } from '@solana/kit'
import { afterEach, expect, test } from 'vitest'
import { type Commit, openStore, type Store } from './store.ts'
import { nativeAccount } from './vm.ts'

const SOMEONE = 'So11111111111111111111111111111111111111112' as Address
let store: Store

afterEach(() => store.close())

function signature(height: number): Signature {
  return `signature of ${height}` as Signature
}

/** A block with one transaction. */
function commitOf(height: number, id = signature(height)): Commit {
  const slot = 1_000 + 2 * height
  const block = { slot, height, hash: `${height}`, parentSlot: slot - 2, parentHash: `${height - 1}`, time: height }
  const landed = { signature: id, slot, time: height, err: null, memo: null, bytes: new Uint8Array(), meta: '{}' }
  return {
    block,
    transactions: [{ ...landed, mentions: [SOMEONE] }],
    accounts: new Map([[SOMEONE, nativeAccount(SOMEONE, BigInt(height))]]),
  }
}

test('history is pruned from its oldest end; accounts stay', () => {
  store = openStore(':memory:', { blocks: 700, transactions: 300 })
  for (let height = 1; height <= 1_000; height++) store.commit(commitOf(height))
  expect(store.oldestBlock()?.height).toBe(301)
  expect(store.transactionCount()).toBe(300)
  expect(store.mentioning(SOMEONE, 1_000)).toHaveLength(300)
  expect(store.transaction(signature(700))).toBeNull()
  expect(store.transaction(signature(701))?.slot).toBe(2_402)
  expect([...store.accounts()]).toEqual([nativeAccount(SOMEONE, 1_000n)])
})

test('a block that cannot be written completely is not written at all', () => {
  store = openStore(':memory:', { blocks: 10, transactions: 10 })
  store.commit(commitOf(1))
  expect(() => store.commit(commitOf(2, signature(1)))).toThrow()
  expect(store.head()?.height).toBe(1)
  expect([...store.accounts()]).toEqual([nativeAccount(SOMEONE, 1n)])
  store.commit(commitOf(2))
  expect(store.head()?.height).toBe(2)
})
