import { type Call, evmCall } from '../../port/calls.ts'
import { requestRejected } from '../../rpc/rpc.ts'
import type { EvmContext } from '../context.ts'
import { isRevert } from '../errors/decode-revert.ts'
import { quantity } from '../wire.ts'

const CALL = 'eth_call'

/** Whether a call from this address would succeed on the latest state. Throws CHAIN_UNAVAILABLE. One HTTP call. */
export async function callSucceeds({ rpc }: EvmContext, from: string, call: Call): Promise<boolean> {
  const { to, data, value } = evmCall(call)
  const response = await rpc.tryRequest(CALL, [{ from, to, data, value: quantity(value) }, 'latest'])
  if (response.ok) return true
  if (isRevert(response.error)) return false
  throw requestRejected(CALL, response.error.message)
}
