import type { RpcError, RpcRequest, RpcResponse } from './endpoint.ts'

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
  /\bpruned\b|due to pruning|proof window|no state available|missing from the db/i,
  // Rollups and providers
  /historical (backend|rpc)|archive (node|data|request|state|mode)|requires? .*archive/i,
]

/** The code of the execution API for what a node has pruned. */
export const PRUNED_HISTORY = 4444

/** Whether a node refused a read because it no longer keeps the state of that block. */
export function isStateMissing({ code, message }: RpcError): boolean {
  if (code === PRUNED_HISTORY || isBelowRange(message)) return true
  return !/revert/i.test(message) && MISSING_STATE.some((pattern) => pattern.test(message))
}

/** Anvil's message for a block that it pruned, and for one that it does not have yet. */
function isBelowRange(message: string): boolean {
  const [, height, requested] = /block height is (\d+) but requested was (\d+)/.exec(message) ?? []
  return height !== undefined && BigInt(requested!) < BigInt(height)
}

/** In place of a refusal, while another node may keep the state of that block. */
export const STATE_UNKNOWN: RpcResponse = {
  ok: false,
  error: { code: 0, message: 'a node forgot that block, and another one does not respond', data: undefined },
}
