import { requestRejected } from '../rpc/rpc.ts'
import type { BlockCache } from './block-cache.ts'
import type { SolanaContext } from './context.ts'
import { transactionMemo } from './encode.ts'
import { oldestSlot, signaturesFor } from './signatures.ts'

/**
 * Signatures of an address's final transactions that carry the memo of one of these transactions, read from a node that
 * is at `slot` or further, back to `since` (rule 1). Throws CHAIN_UNAVAILABLE when the search cannot be completed: then
 * nothing may be concluded.
 */
export async function findLanded(
  { rpc, final, blocks }: SolanaContext,
  address: string,
  transactionIds: readonly number[],
  { slot, since }: { slot: number; since: Date },
): Promise<string[]> {
  const memos = new Set(transactionIds.map(transactionMemo))
  const [oldest, { signatures, isBounded }] = await Promise.all([
    oldestSlot({ rpc }),
    signaturesFor({ rpc }, address, {
      commitment: final,
      minContextSlot: slot,
      isBefore: ({ blockTime }) => blockTime !== null && blockTime * 1_000 < since.getTime(),
    }),
  ])
  if (!isBounded && !(await reachesBackTo(blocks, oldest, since))) {
    throw requestRejected('getSignaturesForAddress', `the node has nothing from before slot ${oldest}`)
  }
  return signatures.flatMap(({ signature, memo }) => {
    const texts = memo?.split('; ').map((text) => text.replace(/^\[\d+\] /, '')) ?? []
    return texts.some((text) => memos.has(text)) ? [signature] : []
  })
}

/**
 * Whether a node whose history starts at that slot has everything since then; a history from the very first block does.
 */
async function reachesBackTo(blocks: BlockCache, oldest: number, since: Date): Promise<boolean> {
  if (oldest === 0) return true
  const first = await blocks.header(oldest)
  // A node does not know the time or height of every block: both then read as 0 and mean nothing.
  if (first === undefined || first.time.getTime() === 0) return false
  return first.height === 0 || first.time <= since
}
