import { RPC_PROXY_BATCH_MAX } from '../../kernel/index.ts'
import type { FaultLayer } from './fault-layer.ts'
import { type JsonRpcRequest, type JsonRpcResponse, respond, rpcError } from './json-rpc.ts'

/** The methods of a public node. No filters or subscriptions (they keep state), no keys, no control of the chain. */
const ALLOWED_METHODS = new Set([
  'web3_clientVersion',
  'web3_sha3',
  'net_version',
  'net_listening',
  'net_peerCount',
  'eth_chainId',
  'eth_syncing',
  'eth_blockNumber',
  'eth_gasPrice',
  'eth_maxPriorityFeePerGas',
  'eth_feeHistory',
  'eth_blobBaseFee',
  'eth_getBalance',
  'eth_getCode',
  'eth_getStorageAt',
  'eth_getProof',
  'eth_getTransactionCount',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getBlockReceipts',
  'eth_getBlockTransactionCountByHash',
  'eth_getBlockTransactionCountByNumber',
  'eth_getTransactionByHash',
  'eth_getTransactionByBlockHashAndIndex',
  'eth_getTransactionByBlockNumberAndIndex',
  'eth_getTransactionReceipt',
  'eth_getUncleCountByBlockHash',
  'eth_getUncleCountByBlockNumber',
  'eth_getLogs',
  'eth_call',
  'eth_estimateGas',
  'eth_createAccessList',
  'eth_simulateV1',
  'eth_sendRawTransaction',
])

export interface RpcProxy {
  /**
   * Handles a parsed JSON-RPC body, single or batch; `undefined` when it contains only notifications. Bad requests get
   * -32600, non-public methods -32601. Never throws for an error of the client or the node.
   */
  handle(body: unknown): Promise<JsonRpcResponse | JsonRpcResponse[] | undefined>
}

/** For a body that is not JSON. */
export const PARSE_ERROR: JsonRpcResponse = respond(null, rpcError(-32_700, 'Parse error'))

/** For a body that could not be passed on. */
export const NODE_UNAVAILABLE: JsonRpcResponse = respond(null, rpcError(-32_603, 'the node is unavailable'))

/** The node is down for outside clients exactly as long as for the service, but only the service's requests count. */
export function createRpcProxy(parts: {
  layer: Pick<FaultLayer, 'exchange'>
  isDown: () => boolean
  /** The allowed methods; default: those of EVM chains. */
  allowed?: ReadonlySet<string>
}): RpcProxy {
  const allowed = parts.allowed ?? ALLOWED_METHODS

  async function handleAll(items: readonly unknown[]): Promise<JsonRpcResponse[]> {
    const validated = items.map((item) => validateRequest(item, allowed))
    const requests = validated.filter((entry) => 'method' in entry)
    let responses: JsonRpcResponse[]
    try {
      responses = parts.isDown()
        ? requests.map(({ id }) => respond(id, rpcError(-32_603, 'sandbox: rpc_down')))
        : await parts.layer.exchange(requests)
    } catch {
      // The reason contains the node's address, which must not leave the service.
      responses = requests.map(({ id }) => respond(id, rpcError(-32_603, 'the node is unavailable')))
    }
    const inOrder = responses.values()
    return validated.flatMap((entry, index) => {
      const response = 'method' in entry ? inOrder.next().value : entry
      return response === undefined || isNotification(items[index]) ? [] : [response]
    })
  }

  return {
    async handle(body) {
      if (!Array.isArray(body)) return (await handleAll([body]))[0]
      if (body.length === 0) return respond(null, rpcError(-32_600, 'Invalid Request: the batch is empty'))
      if (body.length > RPC_PROXY_BATCH_MAX) {
        return respond(null, rpcError(-32_600, `Invalid Request: at most ${RPC_PROXY_BATCH_MAX} requests in a batch`))
      }
      const responses = await handleAll(body)
      return responses.length === 0 ? undefined : responses
    },
  }
}

/** A valid request for the node, or the error response. */
function validateRequest(item: unknown, allowed: ReadonlySet<string>): JsonRpcRequest | JsonRpcResponse {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    return respond(null, rpcError(-32_600, 'Invalid Request'))
  }
  const { jsonrpc, id = null, method, params = [] } = item as Record<string, unknown>
  const validId = typeof id === 'string' || typeof id === 'number' ? id : null
  if (jsonrpc !== '2.0' || typeof method !== 'string' || (id !== null && validId === null)) {
    return respond(validId, rpcError(-32_600, 'Invalid Request'))
  }
  if (!allowed.has(method)) {
    return respond(validId, rpcError(-32_601, `The method ${method.slice(0, 64)} is not available here`))
  }
  if (!Array.isArray(params)) return respond(validId, rpcError(-32_602, 'params must be an array'))
  return { jsonrpc, id: validId, method, params }
}

function isNotification(item: unknown): boolean {
  return typeof item === 'object' && item !== null && !('id' in item) && 'method' in item
}
