import type { AllowList } from '@weir/verify'
import { createEvmNode } from './evm-node.ts'
import type { Node } from './port.ts'
import { createRpc } from './rpc.ts'
import { createSolanaNode } from './solana-node.ts'

export { type Node, NodeUnavailable, type SendResult, type TransactionState } from './port.ts'

/** Chains with endpoints. On embedded chains every block is final immediately. */
export function createNodes(
  list: AllowList,
  rpcUrls: ReadonlyMap<string, readonly string[]>,
  environment: 'sandbox' | 'live',
): ReadonlyMap<string, Node> {
  const live = environment === 'live'
  const nodes = list.chains.flatMap((rules): Node[] => {
    const urls = rpcUrls.get(rules.blockchain)
    if (urls === undefined) return []
    const rpc = createRpc(rules.blockchain, urls)
    return rules.family === 'evm'
      ? [createEvmNode(rules, rpc, live ? 'finalized' : 'latest')]
      : [createSolanaNode(rules, rpc, live ? 'finalized' : 'confirmed')]
  })
  return new Map(nodes.map((node) => [node.blockchain, node]))
}
