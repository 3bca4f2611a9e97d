import type { EvmContext } from './context.ts'
import type { WireHeader } from './wire.ts'

/**
 * Hash of block 0, as block 1 names it. An embedded chain makes another block 0 at each start, and shows it under this
 * number now and then; what the blocks were built upon stays.
 */
export async function genesisHash({ rpc }: EvmContext): Promise<string> {
  const first = await rpc.request<WireHeader | null>('eth_getBlockByNumber', ['0x1', false])
  if (first) return first.parentHash
  return (await rpc.request<WireHeader>('eth_getBlockByNumber', ['0x0', false])).hash ?? ''
}
