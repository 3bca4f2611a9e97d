import { type Clock, RPC_LATE_BLOCKS_MAX, RPC_RECEIPTS_LATE_MS } from '../../kernel/index.ts'

/** Blocks that lacked receipts. Nodes write them a moment after the block, so the first answer proves nothing. */
export interface LateReceipts {
  /** Notes that a block lacks receipts. Whether it has for {@link RPC_RECEIPTS_LATE_MS}: then waiting brings no more. */
  isOverdue(blockHash: string | null): boolean
}

export function createLateReceipts(clock: Clock): LateReceipts {
  const since = new Map<string, number>()
  return {
    isOverdue(blockHash) {
      if (blockHash === null) return false
      const now = clock.now().getTime()
      const first = since.get(blockHash) ?? now
      since.set(blockHash, first)
      if (since.size > RPC_LATE_BLOCKS_MAX) since.delete(since.keys().next().value!)
      return now - first >= RPC_RECEIPTS_LATE_MS
    },
  }
}
