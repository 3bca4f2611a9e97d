import type { BlockRef, Heads } from '../port/blocks.ts'
import { requestRejected } from '../rpc/rpc.ts'
import type { Commitment, SolanaContext } from './context.ts'

/**
 * The latest and the latest final block: one HTTP call, and a second one when they have moved. A node that reports an
 * earlier slot than before lags behind and is ignored.
 */
export function createHeads({ rpc, blocks, final }: SolanaContext): () => Promise<Heads> {
  const lastHeads = new Map<Commitment, BlockRef>()

  async function head(commitment: Commitment, slot: number): Promise<BlockRef> {
    const before = lastHeads.get(commitment)
    if (before && before.number >= slot) return before
    const block = await blocks.header(slot)
    // Not every node has the block of a slot confirmed a moment ago: use the previous one.
    if (!block && before) return before
    if (!block) throw requestRejected('getBlock', `there is no block in slot ${slot}`)
    lastHeads.set(commitment, block)
    return block
  }

  return async () => {
    const slotOf = (commitment: Commitment) => rpc.request<number>('getSlot', [{ commitment }])
    if (final === 'confirmed') {
      const latest = await head('confirmed', await slotOf('confirmed'))
      blocks.recordFinalized(latest.number)
      return { latest, final: latest }
    }
    const [newest, settled] = await Promise.all([slotOf('confirmed'), slotOf('finalized')])
    const [latest, last] = await Promise.all([head('confirmed', newest), head('finalized', settled)])
    blocks.recordFinalized(last.number)
    return { latest, final: last }
  }
}
