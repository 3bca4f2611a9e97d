import type { RpcError } from './endpoint.ts'

/**
 * Codes by which nodes and providers report their own trouble: an internal error, an unavailable resource, a spent quota,
 * a state that is behind.
 */
const FAULT_CODES = new Set([-32_603, -32_001, -32_003, -32_016])

/** Some nodes report what a call itself did wrong under the same codes. */
const OF_THE_CALL = /revert|insufficient|out ?of ?gas|gas required|gas limit/i

/** That a node lacks a method is known after the first answer; asking others each time would only delay what it has. */
const LACKS_METHOD =
  /method .*(not found|not supported|not available|does not exist|not allowed|disabled)|unsupported method/i

/** Whether an error says that this node cannot serve a call which another node may serve. */
export function isNodeFault({ code, message, data }: RpcError): boolean {
  const hasRevertData = typeof data === 'string' && data.startsWith('0x')
  return FAULT_CODES.has(code) && !hasRevertData && !OF_THE_CALL.test(message) && !LACKS_METHOD.test(message)
}
