import type { Block, BlockRef, Chain, Heads } from '../chains/index.ts'
import { assert } from '../kernel/index.ts'
import { compareNewWallets, forgetBlocksAbove, includeBlock, type Parts, settleBlock } from '../operations/index.ts'
import { type Cursor, moveFinal, moveHead } from './cursor.ts'
import { recognizeChain } from './recognize-chain.ts'
import { createUpkeep, type Upkeep } from './upkeep.ts'

export interface FollowOptions {
  readonly isDevelopment: boolean
  /** Tells an operator what a log line would hide. */
  readonly say: (line: string) => void
}

/** One follower per chain in all processes together: it reads each block once, in order (money-rules 7). */
export interface Follower {
  /** Follows to the present head. Throws CHAIN_UNAVAILABLE and leaves everything where it is. */
  round(signal: AbortSignal): Promise<void>
}

export function createFollower(parts: Parts, chain: Chain, options: FollowOptions): Follower {
  const upkeep = createUpkeep(parts, chain)
  let cursor: Cursor | undefined

  return {
    async round(signal) {
      try {
        cursor ??= await recognizeChain(parts, chain, options)
        const heads = await chain.heads()
        cursor = await noteInclusions(parts, chain, cursor, heads, signal)
        cursor = await settleFinal(parts, chain, cursor, heads, signal, upkeep)
        if (!signal.aborted) await compare(parts, chain, cursor)
        if (!signal.aborted) await upkeep.after(cursor.final)
      } catch (error) {
        // Whatever was thrown, what the database holds is the truth: the next round begins from it.
        cursor = undefined
        upkeep.failed()
        throw error
      }
    },
  }
}

/** Blocks that are not final: inclusion is noted, and undone where they leave the chain again. */
async function noteInclusions(
  parts: Parts,
  chain: Chain,
  from: Cursor,
  heads: Heads,
  signal: AbortSignal,
): Promise<Cursor> {
  const { blockchain } = chain.network
  let head = from.head.number < from.final.number ? from.final : from.head
  if (head.number > from.final.number && (await hasLeft(chain, head, heads))) head = await forget(parts, chain, from)
  for (let next = Math.max(head.number, heads.final.number) + 1; next <= heads.latest.number; next = head.number + 1) {
    if (signal.aborted) break
    const block = await chain.block(next)
    if (!block) break
    if (next === head.number + 1 && block.parentHash !== head.hash) {
      assert(head.number > from.final.number, `${blockchain}: block ${next} follows another final block than before`)
      await forget(parts, chain, from)
      return noteInclusions(parts, chain, { ...from, head: from.final }, heads, signal)
    }
    await includeBlock(parts, chain, block)
    head = block
    await moveHead(parts.db, blockchain, head)
  }
  return { ...from, head: { number: head.number, hash: head.hash } }
}

/**
 * Whether the last head is on the chain no more, where no later block will tell: because another block of the same
 * number is the head, or because all that follow it here are final already and are not looked at twice.
 */
async function hasLeft(chain: Chain, head: Cursor['head'], { latest, final }: Heads): Promise<boolean> {
  if (head.number === latest.number) return head.hash !== latest.hash
  const there = head.number <= final.number ? await chain.block(head.number) : undefined
  return there !== undefined && there.hash !== head.hash
}

/** Nothing after the final block was ever included. */
async function forget(parts: Parts, chain: Chain, { final }: Cursor): Promise<Cursor['head']> {
  await forgetBlocksAbove(parts, chain.network.blockchain, final.number)
  await moveHead(parts.db, chain.network.blockchain, final)
  return final
}

/**
 * Final blocks, one after the other: settled, compared, the last one valued, and only then behind the cursor, so that
 * whoever waits for a block finds balances and values as they are there.
 */
async function settleFinal(
  parts: Parts,
  chain: Chain,
  from: Cursor,
  heads: Heads,
  signal: AbortSignal,
  upkeep: Upkeep,
): Promise<Cursor> {
  const { blockchain } = chain.network
  let cursor = from
  for (let next = from.final.number + 1; next <= heads.final.number && !signal.aborted; ) {
    const block = await chain.block(next)
    if (!block) break
    const { number } = block
    next = number + 1
    assert(block.parentHash === cursor.final.hash, `${blockchain}: block ${number} follows another block than before`)
    if (dayOf(block.time) !== dayOf(cursor.final.time)) await upkeep.dayEnded(cursor.final)
    await settleBlock(parts, chain, block)
    if (number === heads.final.number) await upkeep.value(block)
    const moved = await moveFinal(parts.db, blockchain, cursor.final.number, block, parts.clock.now())
    assert(moved, `${blockchain}: another process follows it`)
    cursor = { ...cursor, final: { number, hash: block.hash, time: block.time } }
    if (cursor.head.number < number) {
      cursor = { ...cursor, head: { number, hash: block.hash } }
      await moveHead(parts.db, blockchain, cursor.head)
    }
  }
  return cursor
}

async function compare(parts: Parts, chain: Chain, cursor: Cursor): Promise<void> {
  const { number, hash, time } = cursor.final
  const block: Block = { number, hash, time, parentHash: '', transactions: [] }
  await compareNewWallets(parts, chain, block)
}

export type BlockLike = Pick<BlockRef, 'number' | 'hash' | 'time'>

const dayOf = (time: Date): string => time.toISOString().slice(0, 10)
