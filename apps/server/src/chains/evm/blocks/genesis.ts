import { PRUNED_HISTORY } from '../../rpc/past-state.ts'
import { requestRejected } from '../../rpc/rpc.ts'
import type { EvmContext } from '../context.ts'
import type { WireHeader } from '../wire.ts'

const METHOD = 'eth_getBlockByNumber'

/**
 * Hash of block 0, as block 1 refers to it. An embedded chain makes a new block 0 at each start and sometimes shows it
 * under that number, but the hash that later blocks were built on never changes. Nodes that pruned their history have
 * block 0 only.
 */
export async function genesisHash({ rpc }: EvmContext): Promise<string> {
  const response = await rpc.tryRequest(METHOD, ['0x1', false])
  if (!response.ok && response.error.code !== PRUNED_HISTORY) throw requestRejected(METHOD, response.error.message)
  const first = response.ok ? (response.result as WireHeader | null) : null
  if (first) return first.parentHash
  const hash = (await rpc.request<WireHeader | null>(METHOD, ['0x0', false]))?.hash
  if (!hash) throw requestRejected(METHOD, 'there is no block 0')
  return hash
}
