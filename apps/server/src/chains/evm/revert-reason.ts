import type { Hex } from 'viem'
import { assert } from '../../kernel/index.ts'
import type { IncludedTransaction } from '../port/chain.ts'
import { type EvmContext, isUnsupportedMethod } from './context.ts'
import { decodeRevert, isRevert, revertData } from './decode-revert.ts'
import { quantity } from './wire.ts'

const TRACE = 'debug_traceTransaction'

/**
 * Why an included transaction reverted. A trace is exact where nodes offer one; else the same call on the state of the
 * parent block, which misses what happened earlier in its own block. One HTTP call. `undefined` when neither tells.
 */
export async function revertReason(context: EvmContext, sent: IncludedTransaction): Promise<string | undefined> {
  const { rpc, unsupportedMethods } = context
  assert(sent.family === 'evm', 'a transaction of an EVM chain')
  if (sent.succeeded || sent.to === undefined) return undefined
  const call = {
    from: sent.sender,
    to: sent.to,
    data: sent.data,
    value: quantity(sent.value),
    gas: quantity(sent.gasLimit),
  }
  const [traced, again] = await Promise.all([
    unsupportedMethods.has(TRACE)
      ? undefined
      : rpc.tryRequest(TRACE, [sent.hash, { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } }]),
    rpc.tryRequest('eth_call', [call, quantity(sent.blockNumber - 1)]),
  ])
  if (traced && !traced.ok && isUnsupportedMethod(traced.error)) unsupportedMethods.add(TRACE)
  if (traced?.ok) {
    const { output, error } = traced.result as { output?: Hex; error?: string }
    const { reason } = decodeRevert(output, error)
    if (reason !== undefined) return reason
  }
  if (again.ok || !isRevert(again.error)) return undefined
  return decodeRevert(revertData(again.error), again.error.message).reason
}
