import type { FaultLayer } from './fault-layer.ts'
import { type JsonRpcRequest, type JsonRpcResponse, respond, rpcError } from './json-rpc.ts'

/** An ordinary client asks for a few dozen things at once. */
export const PROXY_BATCH_MAX = 100

/** What a public node offers. No filters and subscriptions (they keep state), no keys, no control of the chain. */
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
   * Answers a parsed JSON-RPC body, single or batch; `undefined` when it held notifications only. Bad requests get
   * -32600, other methods than the public ones -32601. Never throws for what a client or the node does.
   */
  handle(body: unknown): Promise<JsonRpcResponse | JsonRpcResponse[] | undefined>
}

/** For a body that is not JSON. */
export const PARSE_ERROR: JsonRpcResponse = respond(null, rpcError(-32_700, 'Parse error'))

/** The node is down for outsiders exactly as long as for the service, but only the service's requests are counted. */
export function createRpcProxy(parts: {
  layer: Pick<FaultLayer, 'exchange'>
  isDown: () => boolean
  /** The methods that pass; default: those of EVM chains. */
  allowed?: ReadonlySet<string>
}): RpcProxy {
  const allowed = parts.allowed ?? ALLOWED_METHODS

  async function answerAll(items: readonly unknown[]): Promise<JsonRpcResponse[]> {
    const judged = items.map((item) => validateRequest(item, allowed))
    const good = judged.filter((one) => 'method' in one)
    let answers: JsonRpcResponse[]
    try {
      answers = parts.isDown()
        ? good.map(({ id }) => respond(id, rpcError(-32_603, 'sandbox: rpc_down')))
        : await parts.layer.exchange(good)
    } catch {
      // The reason names the node's address, which is nobody's business outside.
      answers = good.map(({ id }) => respond(id, rpcError(-32_603, 'the node does not answer')))
    }
    const inOrder = answers.values()
    return judged.flatMap((one, index) => {
      const response = 'method' in one ? inOrder.next().value : one
      return response === undefined || isNotification(items[index]) ? [] : [response]
    })
  }

  return {
    async handle(body) {
      if (!Array.isArray(body)) return (await answerAll([body]))[0]
      if (body.length === 0) return respond(null, rpcError(-32_600, 'Invalid Request: the batch is empty'))
      if (body.length > PROXY_BATCH_MAX) {
        return respond(null, rpcError(-32_600, `Invalid Request: at most ${PROXY_BATCH_MAX} requests in a batch`))
      }
      const answers = await answerAll(body)
      return answers.length === 0 ? undefined : answers
    },
  }
}

/** A request for the node, or the answer that it gets instead. */
function validateRequest(item: unknown, allowed: ReadonlySet<string>): JsonRpcRequest | JsonRpcResponse {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    return respond(null, rpcError(-32_600, 'Invalid Request'))
  }
  const { jsonrpc, id = null, method, params = [] } = item as Record<string, unknown>
  const known = typeof id === 'string' || typeof id === 'number' ? id : null
  if (jsonrpc !== '2.0' || typeof method !== 'string' || (id !== null && known === null)) {
    return respond(known, rpcError(-32_600, 'Invalid Request'))
  }
  if (!allowed.has(method)) {
    return respond(known, rpcError(-32_601, `The method ${method.slice(0, 64)} is not available here`))
  }
  if (!Array.isArray(params)) return respond(known, rpcError(-32_602, 'params must be an array'))
  return { jsonrpc, id: known, method, params }
}

function isNotification(item: unknown): boolean {
  return typeof item === 'object' && item !== null && !('id' in item) && 'method' in item
}
