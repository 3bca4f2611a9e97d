import type { AllowList } from '@weir/verify'
import type { Logger } from 'pino'
import { evmIdentity, solanaIdentity } from './chain-identity.ts'
import { createEvmNode } from './evm-node.ts'
import type { Node } from './port.ts'
import { createRpc } from './rpc.ts'
import { createSolanaNode } from './solana-node.ts'

export { type Node, NodeUnavailable, type SendResult, type TransactionCounts, type TransactionState } from './port.ts'

/**
 * Chains with endpoints. On embedded chains every block is final immediately. An endpoint that serves another chain is
 * logged once and left out.
 */
export function createNodes(
  list: AllowList,
  rpcUrls: ReadonlyMap<string, readonly string[]>,
  environment: 'sandbox' | 'live',
  log?: Pick<Logger, 'warn'>,
): ReadonlyMap<string, Node> {
  const live = environment === 'live'
  const nodes = list.chains.flatMap((rules): Node[] => {
    const urls = rpcUrls.get(rules.blockchain)
    if (urls === undefined) return []
    const { blockchain } = rules
    const onOtherChain = (reason: string) => log?.warn({ blockchain, reason }, 'an RPC endpoint is left out')
    if (rules.family === 'evm') {
      const rpc = createRpc(blockchain, urls, { identity: evmIdentity(rules), onOtherChain })
      return [createEvmNode(blockchain, rpc, live ? 'finalized' : 'latest')]
    }
    const rpc = createRpc(blockchain, urls, { identity: solanaIdentity(rules), onOtherChain })
    return [createSolanaNode(rules, rpc, live ? 'finalized' : 'confirmed')]
  })
  return new Map(nodes.map((node) => [node.blockchain, node]))
}
