import type { Block, Chain } from '../chains/index.ts'
import { assert } from '../kernel/index.ts'
import { type Parts, replacesIncludedBlock, rollbackBlocksAbove, settleBlock } from '../operations/index.ts'
import type { ChainMaintenance } from './chain-maintenance.ts'
import { type Cursor, moveFinal, moveHead } from './cursor.ts'

/**
 * One final block further: settled, compared, the last one valued, and only then behind the cursor, so that whoever
 * waits for a block finds balances and values as they are there.
 */
export async function settleNextBlock(
  parts: Parts,
  chain: Chain,
  from: Cursor,
  block: Block,
  { isLast, upkeep }: { isLast: boolean; upkeep: ChainMaintenance },
): Promise<Cursor> {
  const { blockchain } = chain.network
  const { number, hash, time } = block
  if (dayOf(time) !== dayOf(from.final.time)) await upkeep.onDayEnd(from.final)
  await settleBlock(parts, chain, block)
  await upkeep.processDeposits(block)
  if (isLast) await upkeep.updateValues(block)
  const moved = await moveFinal(parts.db, blockchain, from.final.number, block, parts.clock.now())
  assert(moved, `${blockchain}: another process follows it`)
  const cursor = { ...from, final: { number, hash, time } }
  const { head } = cursor
  const isReplaced =
    (head.number === number && head.hash !== hash) || (await replacesIncludedBlock(parts, blockchain, block))
  // What was noted in blocks that are not on the chain waits again; the others are noted anew from here on.
  if (isReplaced) await rollbackBlocksAbove(parts, blockchain, number - 1)
  else if (head.number >= number) return cursor
  await moveHead(parts.db, blockchain, { number, hash })
  return { ...cursor, head: { number, hash } }
}

const dayOf = (time: Date): string => time.toISOString().slice(0, 10)
