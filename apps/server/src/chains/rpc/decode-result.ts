import { Failure } from '../../kernel/index.ts'
import { requestRejected } from './rpc.ts'

/**
 * What `decode` reads from a node's result. A malformed result, such as null, makes the chain
 * unavailable and is no defect of the service. Error: CHAIN_UNAVAILABLE.
 */
export function decodeResult<T>(method: string, decode: () => T): T {
  try {
    return decode()
  } catch (error) {
    if (error instanceof Failure) throw error
    throw requestRejected(method, `the node returned a malformed result: ${String(error).slice(0, 200)}`)
  }
}
