import type { EvmContext } from './context.ts'
import type { WireHeader } from './wire.ts'

/**
 * Hash of block 0, as block 1 refers to it. An embedded chain makes a new block 0 at each start and sometimes shows it
 * under that number, but the hash that later blocks were built on never changes.
 */
export async function genesisHash({ rpc }: EvmContext): Promise<string> {
  const first = await rpc.request<WireHeader | null>('eth_getBlockByNumber', ['0x1', false])
  if (first) return first.parentHash
  return (await rpc.request<WireHeader>('eth_getBlockByNumber', ['0x0', false])).hash ?? ''
}
