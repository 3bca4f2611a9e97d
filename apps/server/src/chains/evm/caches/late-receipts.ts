import { type Clock, RPC_LATE_BLOCKS_MAX, RPC_RECEIPTS_LATE_MS } from '../../../kernel/index.ts'
import { createGracePeriod } from './grace-period.ts'

/** Blocks that lacked receipts. Nodes write them a moment after the block, so the first answer proves nothing. */
export interface LateReceipts {
  /** Notes that a block lacks receipts. Whether it has for {@link RPC_RECEIPTS_LATE_MS}: waiting longer is useless. */
  isOverdue(blockHash: string | null): boolean
}

export function createLateReceipts(clock: Clock): LateReceipts {
  const late = createGracePeriod<string>(clock, { afterMs: RPC_RECEIPTS_LATE_MS, max: RPC_LATE_BLOCKS_MAX })
  return { isOverdue: (blockHash) => blockHash !== null && late.isOverdue(blockHash) }
}
