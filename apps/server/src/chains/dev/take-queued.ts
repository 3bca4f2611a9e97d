import type { Hex } from 'viem'
import type { DevNode } from './dev-node.ts'

type Pool = Readonly<Record<string, Readonly<Record<string, { readonly hash: Hex }>>>>

/**
 * Takes the transactions of a sender that wait for an earlier nonce out of the node's pool, and returns their bytes in
 * the order of their nonces: the block that brings the earlier one would include them too.
 */
export async function takeQueued(node: DevNode, sender: string): Promise<Hex[]> {
  const { queued } = await node.request<{ queued: Pool }>('txpool_content')
  const own = Object.entries(queued).find(([address]) => address.toLowerCase() === sender.toLowerCase())?.[1]
  if (own === undefined) return []
  const inOrder = Object.entries(own).sort(([one], [other]) => Number(one) - Number(other))
  const taken = await Promise.all(inOrder.map(([, { hash }]) => node.request<Hex>('eth_getRawTransactionByHash', hash)))
  await node.request('anvil_removePoolTransactions', sender)
  return taken
}
