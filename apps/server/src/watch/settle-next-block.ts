import type { Block, Chain } from '../chains/index.ts'
import { LeaseLostError } from '../database/index.ts'
import { utcDay } from '../kernel/index.ts'
import { type Parts, replacesIncludedBlock, rollbackBlocksAbove, settleBlock } from '../operations/index.ts'
import type { ChainMaintenance } from './chain-maintenance.ts'
import { type Cursor, moveFinal, moveHead } from './cursor.ts'

interface NextBlock {
  readonly from: Cursor
  readonly block: Block
  /** The block is the last final one: positions are valued at it. */
  readonly isLast: boolean
  readonly maintenance: ChainMaintenance
  readonly signal: AbortSignal
}

/**
 * Advances by one final block: settles and reconciles it, values the last one, and only then moves the cursor, so that
 * anyone who waits for a block finds its balances and values in place. Error: LeaseLostError, if another process moved
 * the cursor, or the database went back in time.
 */
export async function settleNextBlock(
  parts: Parts,
  chain: Chain,
  { from, block, isLast, maintenance, signal }: NextBlock,
): Promise<Cursor> {
  const { blockchain } = chain.network
  const { number, hash, time } = block
  if (utcDay(time) !== utcDay(from.final.time)) await maintenance.onDayEnd(from.final)
  await settleBlock(parts, chain, block, from.final.number)
  await maintenance.processDeposits(block)
  if (isLast) await maintenance.updateValues(block, signal)
  const moved = await moveFinal(parts.db, { blockchain, from: from.final.number, to: block, now: parts.clock.now() })
  if (!moved) throw new LeaseLostError(`another process took over: follow ${blockchain}`)
  const cursor = { ...from, final: { number, hash, time } }
  const { head } = cursor
  const isReplaced =
    (head.number === number && head.hash !== hash) || (await replacesIncludedBlock(parts, blockchain, block))
  // Inclusions recorded in blocks that left the chain wait again; the others are recorded again from here on.
  if (isReplaced) await rollbackBlocksAbove(parts, blockchain, number - 1)
  else if (head.number >= number) return cursor
  await moveHead(parts.db, blockchain, { number, hash })
  return { ...cursor, head: { number, hash } }
}
