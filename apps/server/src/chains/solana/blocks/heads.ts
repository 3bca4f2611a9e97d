import type { BlockRef, Heads } from '../../port/blocks.ts'
import { requestRejected } from '../../rpc/rpc.ts'
import type { Commitment, SolanaContext } from '../context.ts'

/**
 * The latest and the latest final block: one HTTP call, and a second one when they have moved. A node that reports an
 * earlier slot than before lags behind and is ignored, as long as a node reports the later one.
 */
export function createHeads({ rpc, blocks, final, highest }: SolanaContext): () => Promise<Heads> {
  async function head(commitment: Commitment, slot: number): Promise<BlockRef> {
    const heads = highest[commitment]
    const before = heads.atLeast(slot)
    if (before) return before
    const block = await blocks.header(slot)
    // Not every node has the block of a slot confirmed a moment ago, or all of it: use the previous one.
    const last = heads.last()
    if (!block && last) return last
    if (!block) throw requestRejected('getBlock', `there is no block in slot ${slot}`)
    return heads.report(block)
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
