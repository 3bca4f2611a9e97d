import type { BlockRef, Heads } from '../port/blocks.ts'
import { requestRejected } from '../rpc/rpc.ts'
import type { EvmContext } from './context.ts'
import { quantity, toBlockRef, type WireHeader } from './wire.ts'

/**
 * The latest and the latest final block. One HTTP call, and a second one when the final block is not the latest and
 * has moved.
 *
 * A node that reports a lower head than an earlier one lags behind (another node of the same provider, or one that is
 * catching up) and is ignored: the highest head stays. At the same height the newer response counts, because that is
 * what a reorganization looks like. A final block never goes back.
 */
export function createHeads(context: EvmContext): () => Promise<Heads> {
  const { network, rpc } = context
  let latest: BlockRef | undefined
  let final: BlockRef | undefined

  async function header(tag: string): Promise<BlockRef> {
    const wire = await rpc.request<WireHeader | null>('eth_getBlockByNumber', [tag, false])
    if (wire === null) throw requestRejected('eth_getBlockByNumber', `block ${tag} is missing`)
    return toBlockRef(wire)
  }

  const higher = (one: BlockRef | undefined, other: BlockRef) => (one && one.number > other.number ? one : other)

  return async () => {
    if (network.finality === 'tag') {
      const [newest, settled] = await Promise.all([header('latest'), header('finalized')])
      latest = higher(latest, newest)
      final = higher(final, settled)
      return { latest, final }
    }
    latest = higher(latest, await header('latest'))
    const depth = Math.max(0, latest.number - network.confirmations + 1)
    if (depth === latest.number) final = latest
    else if (final === undefined || final.number < depth) final = higher(final, await header(quantity(depth)))
    return { latest, final }
  }
}
