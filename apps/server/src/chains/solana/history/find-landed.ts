import { SOLANA_STATUSES_BATCH } from '../../../kernel/index.ts'
import type { LandedQuery, LandedSearch } from '../../port/chain.ts'
import { decodeResult } from '../../rpc/decode-result.ts'
import { type Rpc, requestRejected } from '../../rpc/rpc.ts'
import type { BlockCache } from '../caches/block-cache.ts'
import type { SolanaContext, SolanaRpcResponse } from '../context.ts'
import { transactionMemo } from '../transactions/encode.ts'
import { oldestSlot, signaturesFor } from './signatures.ts'

/**
 * Signatures of an address's final transactions that carry the memo of one of these transactions, back to `since` (rule
 * 1), and those of `sent` that have a status. One call reads a bounded part of a long list. Throws CHAIN_UNAVAILABLE when
 * the search cannot be completed: then nothing may be concluded.
 *
 * A node compares `minContextSlot` with its state, and writes blocks, lists and statuses later, each on its own. So the
 * node that lists must also serve the block of `slot` and list a transaction of a recent block, and a status counts
 * although the list lacks its signature.
 */
export async function findLanded(
  { rpc, final, blocks, listWitness }: SolanaContext,
  address: string,
  transactionIds: readonly number[],
  { slot, since, sent, continueBefore }: LandedQuery,
): Promise<LandedSearch> {
  const memos = new Set(transactionIds.map(transactionMemo))
  const witness = await listWitness(slot)
  // Calls of one tick reach the same node.
  const [oldest, block, seen, page] = await Promise.all([
    oldestSlot({ rpc }),
    rpc.request<unknown>('getBlock', [slot, { commitment: final, transactionDetails: 'none', rewards: false }]),
    withStatus(rpc, sent),
    signaturesFor({ rpc }, address, {
      commitment: final,
      minContextSlot: slot,
      witness,
      isBefore: ({ blockTime }) => blockTime !== null && blockTime * 1_000 < since.getTime(),
      ...(continueBefore !== undefined && { before: continueBefore }),
    }),
  ])
  if (block === null) throw requestRejected('getBlock', `there is no block in slot ${slot}`)
  const { signatures, isBounded } = page
  if (!isBounded && !(await reachesBackTo(blocks, oldest, since))) {
    throw requestRejected('getSignaturesForAddress', `the node has nothing from before slot ${oldest}`)
  }
  const hashes = signatures.flatMap(({ signature, memo }) => {
    const texts = memo?.split('; ').map((text) => text.replace(/^\[\d+\] /, '')) ?? []
    return texts.some((text) => memos.has(text)) ? [signature] : []
  })
  return {
    hashes: [...new Set([...hashes, ...seen])],
    ...(page.continueBefore !== undefined && { continueBefore: page.continueBefore }),
  }
}

/** Those of these signatures that the node knows from a block, of whatever commitment. */
async function withStatus(rpc: Rpc, signatures: readonly string[]): Promise<string[]> {
  const parts: string[][] = []
  for (let from = 0; from < signatures.length; from += SOLANA_STATUSES_BATCH)
    parts.push(signatures.slice(from, from + SOLANA_STATUSES_BATCH))
  const responses = await Promise.all(
    parts.map((part) =>
      rpc.request<SolanaRpcResponse<unknown[]>>('getSignatureStatuses', [part, { searchTransactionHistory: true }]),
    ),
  )
  const statuses = decodeResult('getSignatureStatuses', () => responses.flatMap(({ value }) => [...value]))
  if (statuses.length !== signatures.length) throw requestRejected('getSignatureStatuses', 'statuses are missing')
  return signatures.filter((_, index) => statuses[index] !== null)
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
