import type { RpcError, RpcRequest } from './endpoint.ts'

/** Methods that read the state after a block, and the place of that block among their parameters. */
const BLOCK_PARAMETERS = new Map([
  ['eth_call', 1],
  ['eth_getBalance', 1],
  ['eth_getCode', 1],
  ['eth_getStorageAt', 2],
  ['eth_getTransactionCount', 1],
])

/** Whether a request reads the state after a numbered block, which many nodes forget 128 blocks later. */
export function readsPastState({ method, params }: RpcRequest): boolean {
  const block = params[BLOCK_PARAMETERS.get(method) ?? params.length]
  return typeof block === 'string' && block.startsWith('0x')
}

/** What nodes and providers say about state that they do not keep. */
const MISSING_STATE = [
  // Geth, and clients and providers derived from it
  /missing trie node|state .*(not |un)available|state histor(y|ies)/i,
  // Reth, Erigon, Nethermind, Besu
  /state .*pruned|pruned (state|history)|due to pruning|proof window|no state available/i,
  // Rollups and providers
  /historical (backend|rpc)|archive (node|data|request|state|mode)|requires? .*archive/i,
]

/** Whether a node refused a read because it no longer keeps the state of that block. */
export function isStateMissing({ message }: RpcError): boolean {
  return !/revert/i.test(message) && MISSING_STATE.some((pattern) => pattern.test(message))
}
