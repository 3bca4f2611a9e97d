import type { BlockRef, Heads } from '../../port/blocks.ts'
import { createHighestHead } from '../../rpc/highest-head.ts'
import { requestRejected } from '../../rpc/rpc.ts'
import type { EvmContext } from '../context.ts'
import { quantity, toBlockRef, type WireHeader } from '../wire.ts'

/**
 * The latest and the latest final block. One HTTP call, and a second one when the final block is not the latest and
 * has moved.
 *
 * A node that reports a lower head than an earlier one lags behind (another node of the same provider, or one that is
 * catching up) and is ignored: the highest head stays, as long as a node reports it. At the same height the newer
 * response counts, because that is what a reorganization looks like. A final block never goes back.
 */
export function createHeads(context: EvmContext): () => Promise<Heads> {
  const { network, rpc, clock } = context
  const [highest, highestFinal] = [createHighestHead(clock), createHighestHead(clock)]

  async function header(tag: string): Promise<BlockRef> {
    const wire = await rpc.request<WireHeader | null>('eth_getBlockByNumber', [tag, false])
    if (wire === null) throw requestRejected('eth_getBlockByNumber', `block ${tag} is missing`)
    return toBlockRef(wire)
  }

  return async () => {
    if (network.finality === 'tag') {
      const [newest, settled] = await Promise.all([header('latest'), header('finalized')])
      return { latest: highest.report(newest), final: highestFinal.report(settled) }
    }
    const latest = highest.report(await header('latest'))
    const depth = Math.max(0, latest.number - network.confirmations + 1)
    if (depth === latest.number) return { latest, final: latest }
    return { latest, final: highestFinal.atLeast(depth) ?? highestFinal.report(await header(quantity(depth))) }
  }
}
