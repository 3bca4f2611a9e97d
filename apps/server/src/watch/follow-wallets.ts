import type { BlockRef, Chain, Heads } from '../chains/index.ts'
import { Failure, outageLogsBy } from '../kernel/index.ts'
import {
  type Parts,
  readTrackedAddresses,
  recordInclusions,
  rollbackPassedInclusions,
  type TrackedAddresses,
  trackedTokens,
} from '../operations/index.ts'
import { requestAddressReconciliation } from '../wallets/index.ts'
import type { ChainMaintenance } from './chain-maintenance.ts'
import { type Cursor, moveHead } from './cursor.ts'
import type { FollowRun } from './follow-blocks.ts'
import { rollbackHead } from './follow-blocks.ts'
import { settleNextBlock } from './settle-next-block.ts'

/**
 * Follows a cluster whose blocks are too large to be read: queries the activity of known wallets, and still settles it
 * block by block, with one cursor (rule 7). The cursor moves to the final head, or as far as lists that are late lead,
 * once everything up to there is settled; a round that is interrupted resumes after the last settled block.
 * Throws CHAIN_UNAVAILABLE.
 */
export async function followWallets(
  parts: Parts,
  chain: Chain,
  { from, heads, signal, maintenance }: FollowRun,
): Promise<Cursor> {
  const tracked = await readTrackedAddresses(parts.db, chain.network.blockchain)
  const recorded = await recordHeadBlocks(parts, chain, { from, heads, tracked })
  return settleFinal(parts, chain, { from: recorded, heads, signal, tracked, maintenance })
}

interface HeadRun {
  readonly from: Cursor
  readonly heads: Heads
  readonly tracked: TrackedAddresses
}

/**
 * Processes blocks that are not final: records inclusions, and undoes them where the last seen block left the chain.
 */
async function recordHeadBlocks(
  parts: Parts,
  chain: Chain,
  { from, heads, tracked: { senders } }: HeadRun,
): Promise<Cursor> {
  let head = from.head.number < from.final.number ? from.final : from.head
  if (await isHeadOrphaned(parts, chain, { ...from, head })) head = await rollbackHead(parts, chain, from)
  const { number, hash } = heads.latest
  if (number <= Math.max(head.number, heads.final.number)) return { ...from, head }
  for (const block of await chain.walletActivity!.pendingBlocks(senders, Math.max(head.number, heads.final.number))) {
    if (block.number <= number) await recordInclusions(parts, chain, block)
  }
  await moveHead(parts.db, chain.network.blockchain, { number, hash })
  return { ...from, head: { number, hash } }
}

/** The head was replaced, or a block that was passed as final lacks a transaction recorded in it. */
async function isHeadOrphaned(parts: Parts, chain: Chain, { head, final }: Cursor): Promise<boolean> {
  if (await rollbackPassedInclusions(parts, chain.network.blockchain, final.number)) return true
  if (head.number <= final.number) return false
  const current = await chain.header(head.number)
  return current !== undefined && current.hash !== head.hash
}

interface FinalRun {
  readonly from: Cursor
  readonly heads: Heads
  readonly signal: AbortSignal
  readonly tracked: TrackedAddresses
  readonly maintenance: ChainMaintenance
}

async function settleFinal(
  parts: Parts,
  chain: Chain,
  { from, heads: { final }, signal, tracked: { wallets, senders }, maintenance }: FinalRun,
): Promise<Cursor> {
  if (final.number <= from.final.number) return from
  const tracked = { wallets, senders, tokens: await trackedTokens(parts.db, chain) }
  const { finalizedBlocks } = chain.walletActivity!
  const { blocks, incomplete, through } = await finalizedBlocks(tracked, from.final.number, final.number)
  await compareIncomplete(parts, chain, incomplete)
  // The last slot as a block, so that the cursor and the values reach it.
  const isReached = blocks.at(-1)?.number === through
  const last = isReached ? [] : [{ ...(await blockAt(chain, through, final)), transactions: [] }]
  let cursor = from
  for (const block of [...blocks, ...last]) {
    if (signal.aborted) break
    cursor = await settleNextBlock(parts, chain, {
      from: cursor,
      block,
      isLast: block.number === through,
      maintenance,
      signal,
    })
  }
  return cursor
}

/** A final block. Throws CHAIN_UNAVAILABLE while no node has it. */
async function blockAt(chain: Chain, number: number, final: BlockRef): Promise<BlockRef> {
  if (number === final.number) return final
  const found = await chain.header(number)
  if (!found) throw new Failure('CHAIN_UNAVAILABLE', { cause: new Error(`no node has block ${number}`) })
  return found
}

const incompleteOf = outageLogsBy({
  away: 'the transactions of a wallet cannot all be read; comparing its balances with the chain instead',
  back: 'the transactions of a wallet are read again',
})

/**
 * Wallets whose transactions a round cannot all read delay nobody: following passes those blocks, and the wallets are
 * compared with the chain afterwards. The service's own transactions among them are found by their hash or memo
 * (`checkPendingTransactions`, `expireBlockhashes`).
 */
async function compareIncomplete(parts: Parts, chain: Chain, addresses: readonly string[]): Promise<void> {
  const { blockchain } = chain.network
  const incomplete = incompleteOf(chain, parts.log)
  const wallets = addresses.map((wallet) => ({ blockchain, wallet }))
  incomplete.recoveredExcept(wallets)
  if (addresses.length === 0) return
  await requestAddressReconciliation(parts.db, blockchain, addresses)
  for (const wallet of wallets) incomplete.failed(wallet)
}
