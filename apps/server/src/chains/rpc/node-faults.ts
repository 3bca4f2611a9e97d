import type { RpcError, RpcRequest, RpcResponse } from './endpoint.ts'

/**
 * Codes by which nodes and providers report their own trouble: an internal error, an unavailable resource, a spent quota,
 * a state that is behind.
 */
const FAULT_CODES = new Set([-32_603, -32_001, -32_003, -32_016])

/** Some nodes report what a call itself did wrong under the same codes. */
const OF_THE_CALL = /revert|insufficient|out ?of ?gas|gas required|gas limit/i

/** Methods that not every node has, and that the service can do without. */
const OPTIONAL_METHODS = new Set(['eth_simulateV1', 'eth_getBlockReceipts', 'debug_traceTransaction'])

/** A method that is not supported. -32001 says too little: a provider that sheds load uses it as well. */
const LACKING_CODES = new Set([-32_004])

const METHOD_NOT_FOUND = -32_601
const LACKING =
  /(method|(eth|debug)_\w+) .*(not found|not supported|not available|does not exist|not allowed|disabled)|unsupported method/i
/** Those of the OP stack's public proxies, among others. */
const NOT_LISTED = /(method|(eth|debug)_\w+) .*not (in |on )?(the )?(white|allow)-?list/i

/** Nodes differ in code and message; all of these mean that the method is not available. */
export function isUnsupportedMethod({ code, message }: RpcError): boolean {
  return code === METHOD_NOT_FOUND || LACKING.test(message) || (NOT_LISTED.test(message) && !OF_THE_CALL.test(message))
}

/** Whether a node says, or may mean, that it lacks a method which not every node has. */
export function mayLackMethod({ method }: RpcRequest, response: RpcResponse): boolean {
  if (response.ok || !OPTIONAL_METHODS.has(method)) return false
  const { error } = response
  return isUnsupportedMethod(error) || (LACKING_CODES.has(error.code) && !isOfTheCall(error))
}

/** In place of an answer that may mean it, once every node gave one. */
export function lackedByAll(response: RpcResponse): RpcResponse {
  return response.ok ? response : { ok: false, error: { ...response.error, code: METHOD_NOT_FOUND } }
}

function isOfTheCall({ message, data }: RpcError): boolean {
  return (typeof data === 'string' && data.startsWith('0x')) || OF_THE_CALL.test(message)
}

/** Whether an error says that this node cannot serve a call which another node may serve. */
export function isNodeFault(error: RpcError): boolean {
  // That a node lacks a method is known after its first answer: asking others each time would only delay the rest.
  return FAULT_CODES.has(error.code) && !isUnsupportedMethod(error) && !isOfTheCall(error)
}
