import type { Chain, Heads } from '../chains/index.ts'
import { assert } from '../kernel/index.ts'
import { type Parts, recordInclusions, rollbackBlocksAbove } from '../operations/index.ts'
import type { ChainMaintenance } from './chain-maintenance.ts'
import { type Cursor, moveHead } from './cursor.ts'
import { settleNextBlock } from './settle-next-block.ts'

/** One round of a follower: from its cursor to the chain's heads. */
export interface FollowRun {
  readonly from: Cursor
  readonly heads: Heads
  readonly signal: AbortSignal
  readonly maintenance: ChainMaintenance
}

/** Follows a chain by reading each of its blocks in order. */
export async function followBlocks(
  parts: Parts,
  chain: Chain,
  { from, heads, signal, maintenance }: FollowRun,
): Promise<Cursor> {
  const recorded = await recordHeadBlocks(parts, chain, { from, heads, signal })
  return settleFinal(parts, chain, { from: recorded, heads, signal, maintenance })
}

/** Processes blocks that are not final: records inclusions, and undoes those that a reorg removed. */
async function recordHeadBlocks(
  parts: Parts,
  chain: Chain,
  { from, heads, signal }: Omit<FollowRun, 'maintenance'>,
): Promise<Cursor> {
  const { blockchain } = chain.network
  let head = from.head.number <= from.final.number ? from.final : from.head
  if (head.number > from.final.number && (await isHeadOrphaned(chain, head, heads)))
    head = await rollbackHead(parts, chain, from)
  for (let next = Math.max(head.number, heads.final.number) + 1; next <= heads.latest.number; next = head.number + 1) {
    if (signal.aborted) break
    const block = await chain.block(next)
    if (!block) break
    if (next === head.number + 1 && block.parentHash !== head.hash) {
      assert(
        head.number > from.final.number,
        `${blockchain}: block ${next} follows a different final block than before`,
      )
      await rollbackHead(parts, chain, from)
      return recordHeadBlocks(parts, chain, { from: { ...from, head: from.final }, heads, signal })
    }
    await recordInclusions(parts, chain, block)
    head = block
    await moveHead(parts.db, blockchain, head)
  }
  return { ...from, head: { number: head.number, hash: head.hash } }
}

/**
 * Whether the last head is no longer on the chain in a case that later blocks do not reveal: another block of the same
 * number is now the head, or all the blocks after it are already final and are not read twice.
 */
async function isHeadOrphaned(chain: Chain, head: Cursor['head'], { latest, final }: Heads): Promise<boolean> {
  if (head.number === latest.number) return head.hash !== latest.hash
  const current = head.number <= final.number ? await chain.block(head.number) : undefined
  return current !== undefined && current.hash !== head.hash
}

/** After a reorg: undoes every inclusion after the final block. */
export async function rollbackHead(parts: Parts, chain: Chain, { final }: Cursor): Promise<Cursor['head']> {
  await rollbackBlocksAbove(parts, chain.network.blockchain, final.number)
  await moveHead(parts.db, chain.network.blockchain, final)
  return final
}

/** Settles final blocks in order. */
async function settleFinal(
  parts: Parts,
  chain: Chain,
  { from, heads, signal, maintenance }: FollowRun,
): Promise<Cursor> {
  let cursor = from
  for (let next = from.final.number + 1; next <= heads.final.number && !signal.aborted; ) {
    const block = await chain.block(next)
    if (!block) break
    const { number, parentHash } = block
    next = number + 1
    assert(
      parentHash === cursor.final.hash,
      `${chain.network.blockchain}: block ${number} follows a different block than before`,
    )
    cursor = await settleNextBlock(parts, chain, {
      from: cursor,
      block,
      isLast: number === heads.final.number,
      maintenance,
      signal,
    })
  }
  return cursor
}
