// Also tested elsewhere: nonces that plans take (planning/read-planning-state.test.ts), and bytes with used nonces
// (invalidate-consumed-nonces.test.ts).
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { useStore } from '../../../testing/operations/use-store.ts'
import type { IncludedTransaction } from '../../chains/index.ts'
import { finalNonceCounts, recordFinalNonces } from './record-final-nonces.ts'

const store = useStore()
const address = () => `0x${randomBytes(20).toString('hex')}`
const record = (counts: Record<string, number>, blockchain = 'polygon') =>
  recordFinalNonces(
    store.db,
    blockchain,
    Object.entries(counts).map(([sender, count]) => ({ sender, count })),
  )
const counted = async (sender: string, blockchain = 'polygon') =>
  store.db
    .selectFrom('chain_nonces')
    .select(['final_count', 'latest_count'])
    .where('blockchain', '=', blockchain)
    .where('address', '=', sender)
    .executeTakeFirst()

test('a sender’s count rises and never falls, and other chains count for themselves', async () => {
  const sender = address()
  await record({ [sender]: 4 })
  await record({ [sender]: 3 })
  expect(await counted(sender)).toEqual({ final_count: 4, latest_count: 0 })
  await record({ [sender]: 9 }, 'base')
  await record({ [sender]: 5 })
  expect((await counted(sender))?.final_count).toBe(5)
})

test('a count that nodes reported for the latest block is kept', async () => {
  const sender = address()
  await store.db
    .insertInto('chain_nonces')
    .values({ blockchain: 'polygon', address: sender, latest_count: 8 })
    .execute()
  await record({ [sender]: 6 })
  expect(await counted(sender)).toEqual({ final_count: 6, latest_count: 8 })
})

test('several transactions of one sender in a block count to the highest, and no transactions write nothing', async () => {
  const sender = address()
  await recordFinalNonces(store.db, 'polygon', [
    { sender, count: 2 },
    { sender, count: 3 },
  ])
  await record({})
  expect((await counted(sender))?.final_count).toBe(3)
})

test('simultaneous writers of the same senders in any order do not obstruct each other', async () => {
  const senders = Array.from({ length: 20 }, address)
  const write = (order: string[], count: number) =>
    recordFinalNonces(
      store.db,
      'polygon',
      order.map((sender) => ({ sender, count })),
    )
  await Promise.all([1, 2, 3, 4, 5, 6].map((n) => write(n % 2 ? senders : senders.toReversed(), n)))
  for (const sender of senders) expect((await counted(sender))?.final_count).toBe(6)
})

test('a block’s EVM transactions each use up their nonce; Solana has none', () => {
  const included = [
    { family: 'evm', sender: '0xA', nonce: 4 },
    { family: 'svm', sender: 'B', nonce: null },
  ] as IncludedTransaction[]
  expect(finalNonceCounts(included)).toEqual([{ sender: '0xA', count: 5 }])
})
