import type { ObservedTransaction } from '../../port/included-transaction.ts'
import { decodeResult } from '../../rpc/decode-result.ts'
import { safeIntegerFrom } from '../../rpc/integer-from.ts'
import type { EvmContext } from '../context.ts'
import { type EvmWireTransaction, feesOf, quantity, toObservedTransaction } from '../wire.ts'

/** What nodes know of these hashes, pending or included, in hash order. One HTTP call per 100. */
export function findTransactions(
  { rpc }: EvmContext,
  hashes: readonly string[],
): Promise<(ObservedTransaction | undefined)[]> {
  return Promise.all(
    hashes.map(async (hash) => {
      const wire = await rpc.request<EvmWireTransaction | null>('eth_getTransactionByHash', [hash])
      if (wire === null) return undefined
      return decodeResult('eth_getTransactionByHash', () => ({ ...toObservedTransaction(wire), fees: feesOf(wire) }))
    }),
  )
}

/** Transaction counts at the final block, in address order; the block is named as precisely as `finality` allows. */
export async function finalNonces(
  { network, rpc }: EvmContext,
  addresses: readonly string[],
  finalBlock: () => Promise<number>,
): Promise<number[]> {
  if (addresses.length === 0) return []
  const counts = (tag: string) =>
    Promise.all(addresses.map((address) => rpc.request<string>('eth_getTransactionCount', [address, tag])))
  const at =
    network.finality === 'tag' ? 'finalized' : network.confirmations === 1 ? 'latest' : quantity(await finalBlock())
  return (await counts(at)).map((count) => safeIntegerFrom('eth_getTransactionCount', count))
}
