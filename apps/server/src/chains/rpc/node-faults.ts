import type { RpcError } from './endpoint.ts'

/**
 * Codes by which nodes and providers report their own trouble: an internal error, an unavailable resource, a spent quota,
 * a state that is behind.
 */
const FAULT_CODES = new Set([-32_603, -32_001, -32_003, -32_016])

/** Some nodes report what a call itself did wrong under the same codes. */
const OF_THE_CALL = /revert|insufficient|out ?of ?gas|gas required|gas limit/i

/** Nodes differ in code and message; all of these mean that the method is not available. */
export function isUnsupportedMethod({ code, message }: RpcError): boolean {
  if (code === -32601) return true
  return /method .*(not found|not supported|not available|does not exist|not allowed|disabled)|unsupported method/i.test(
    message,
  )
}

/** Whether an error says that this node cannot serve a call which another node may serve. */
export function isNodeFault(error: RpcError): boolean {
  const { code, message, data } = error
  const hasRevertData = typeof data === 'string' && data.startsWith('0x')
  // That a node lacks a method is known after its first answer: asking others each time would only delay the rest.
  return FAULT_CODES.has(code) && !isUnsupportedMethod(error) && !hasRevertData && !OF_THE_CALL.test(message)
}
