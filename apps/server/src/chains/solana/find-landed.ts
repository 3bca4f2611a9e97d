import type { LandedQuery, LandedSearch } from '../port/chain.ts'
import { type Rpc, requestRejected } from '../rpc/rpc.ts'
import type { BlockCache } from './block-cache.ts'
import type { SolanaContext, SolanaRpcResponse } from './context.ts'
import { transactionMemo } from './encode.ts'
import { oldestSlot, signaturesFor } from './signatures.ts'

/**
 * Signatures of an address's final transactions that carry the memo of one of these transactions, read from a node that
 * is at `slot` or further, back to `since` (rule 1). One call reads a bounded part of a long list. Throws
 * CHAIN_UNAVAILABLE when the search cannot be completed: then nothing may be concluded.
 */
export async function findLanded(
  { rpc, final, blocks }: SolanaContext,
  address: string,
  transactionIds: readonly number[],
  { slot, since, continueBefore }: LandedQuery,
): Promise<LandedSearch> {
  const memos = new Set(transactionIds.map(transactionMemo))
  const [oldest, page] = await Promise.all([
    oldestSlot({ rpc }),
    signaturesFor({ rpc }, address, {
      commitment: final,
      minContextSlot: slot,
      isBefore: ({ blockTime }) => blockTime !== null && blockTime * 1_000 < since.getTime(),
      ...(continueBefore !== undefined && { before: continueBefore }),
    }),
  ])
  const { signatures, isBounded } = page
  if (!isBounded && !(await reachesBackTo(blocks, oldest, since))) {
    throw requestRejected('getSignaturesForAddress', `the node has nothing from before slot ${oldest}`)
  }
  // A node that does not know where to continue returns an empty list, not an error.
  if (continueBefore !== undefined && signatures.length === 0 && !isBounded && !(await isKnown(rpc, continueBefore))) {
    throw requestRejected('getSignaturesForAddress', `the node does not know ${continueBefore}`)
  }
  const hashes = signatures.flatMap(({ signature, memo }) => {
    const texts = memo?.split('; ').map((text) => text.replace(/^\[\d+\] /, '')) ?? []
    return texts.some((text) => memos.has(text)) ? [signature] : []
  })
  return { hashes, ...(page.continueBefore !== undefined && { continueBefore: page.continueBefore }) }
}

async function isKnown(rpc: Rpc, signature: string): Promise<boolean> {
  const { value } = await rpc.request<SolanaRpcResponse<unknown[]>>('getSignatureStatuses', [
    [signature],
    { searchTransactionHistory: true },
  ])
  return value[0] !== null
}

/**
 * Whether a node whose history starts at that slot has everything since then; a history from the very first block does.
 */
async function reachesBackTo(blocks: BlockCache, oldest: number, since: Date): Promise<boolean> {
  if (oldest === 0) return true
  const first = await blocks.age(oldest)
  // A node does not know the time or height of every old block.
  if (first === undefined) return false
  return first.height === 0 || (first.time !== undefined && first.time <= since)
}
