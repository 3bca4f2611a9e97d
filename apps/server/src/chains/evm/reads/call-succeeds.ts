import { CallUnfinishedError } from '../../port/call-unfinished.ts'
import { type Call, evmCall } from '../../port/calls.ts'
import { requestRejected } from '../../rpc/rpc.ts'
import type { EvmContext } from '../context.ts'
import { isRevert } from '../errors/decode-revert.ts'
import { isGivenUp } from '../errors/exhausted-call.ts'
import { quantity } from '../wire.ts'

const CALL = 'eth_call'

/**
 * Whether a call from this address would succeed on the latest state. Throws CHAIN_UNAVAILABLE, as
 * {@link CallUnfinishedError} if a node gave up on this call. One HTTP call.
 */
export async function callSucceeds({ rpc }: EvmContext, from: string, call: Call): Promise<boolean> {
  const { to, data, value } = evmCall(call)
  const response = await rpc.tryRequest(CALL, [{ from, to, data, value: quantity(value) }, 'latest'])
  if (response.ok) return true
  if (isRevert(response.error)) return false
  if (isGivenUp(response.error)) throw new CallUnfinishedError(CALL, response.error.message)
  throw requestRejected(CALL, response.error.message)
}
