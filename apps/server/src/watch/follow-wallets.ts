import type { Chain, Heads, SvmChain } from '../chains/index.ts'
import {
  type Parts,
  readTrackedAddresses,
  recordInclusions,
  rollbackPassedInclusions,
  type TrackedAddresses,
} from '../operations/index.ts'
import { strategiesOnChain, venueFor } from '../venues/index.ts'
import type { ChainMaintenance } from './chain-maintenance.ts'
import { type Cursor, moveHead } from './cursor.ts'
import { rollbackHead } from './follow-blocks.ts'
import { settleNextBlock } from './settle-next-block.ts'

/**
 * Follows a cluster whose blocks are too large to be read: what happened to known wallets is asked for, and settled block
 * by block all the same, with one cursor (rule 7). The cursor moves to the final head when everything up to it is
 * settled; a round that ends in between goes on from the last block that was.
 */
export async function followWallets(
  parts: Parts,
  chain: SvmChain,
  from: Cursor,
  heads: Heads,
  signal: AbortSignal,
  upkeep: ChainMaintenance,
): Promise<Cursor> {
  const known = await readTrackedAddresses(parts.db, chain.network.blockchain)
  const noted = await recordHeadBlocks(parts, chain, from, heads, known)
  return settleFinal(parts, chain, noted, heads, signal, known, upkeep)
}

/** Blocks that are not final: inclusion is noted, and undone where the last one that was seen left the chain. */
async function recordHeadBlocks(
  parts: Parts,
  chain: SvmChain,
  from: Cursor,
  heads: Heads,
  { senders }: TrackedAddresses,
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

/** Another block is where the head was, or a block that was passed as final did not hold what was noted in it. */
async function isHeadOrphaned(parts: Parts, chain: SvmChain, { head, final }: Cursor): Promise<boolean> {
  if (await rollbackPassedInclusions(parts, chain.network.blockchain, final.number)) return true
  if (head.number <= final.number) return false
  const there = await chain.header(head.number)
  return there !== undefined && there.hash !== head.hash
}

async function settleFinal(
  parts: Parts,
  chain: SvmChain,
  from: Cursor,
  { final }: Heads,
  signal: AbortSignal,
  { wallets, senders }: TrackedAddresses,
  upkeep: ChainMaintenance,
): Promise<Cursor> {
  if (final.number <= from.final.number) return from
  const known = { wallets, senders, tokens: await trackedTokens(parts, chain) }
  const blocks = await chain.walletActivity!.finalizedBlocks(known, from.final.number, final.number)
  // The head as a block of its own, so that the cursor and the values reach it.
  const last = blocks.at(-1)?.number === final.number ? [] : [{ ...final, transactions: [] }]
  let cursor = from
  for (const block of [...blocks, ...last]) {
    if (signal.aborted) break
    cursor = await settleNextBlock(parts, chain, cursor, block, { isLast: block.number === final.number, upkeep })
  }
  return cursor
}

/** Every token in which a wallet's money can be on that chain. */
async function trackedTokens({ db }: Parts, { network }: Chain): Promise<string[]> {
  const strategies = await strategiesOnChain(db, network.blockchain)
  const shares = strategies.map((strategy) => venueFor(strategy.protocol).shareToken(strategy))
  return [...new Set([...network.tokens.map(({ address }) => address), ...shares])]
}
