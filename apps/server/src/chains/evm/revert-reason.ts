import type { Hex } from 'viem'
import { assert } from '../../kernel/index.ts'
import type { IncludedTransaction } from '../port/included-transaction.ts'
import { isUnsupportedMethod } from '../rpc/node-faults.ts'
import type { EvmContext } from './context.ts'
import { decodeRevert, isRevert, revertData } from './decode-revert.ts'
import { quantity } from './wire.ts'

const TRACE = 'debug_traceTransaction'

/**
 * Why an included transaction reverted. A trace is exact where nodes offer one; otherwise the same call on the state of
 * the parent block, which misses earlier transactions of its block. One HTTP call. `undefined` when neither explains
 * it.
 */
export async function revertReason(context: EvmContext, included: IncludedTransaction): Promise<string | undefined> {
  const { rpc, unsupportedMethods } = context
  assert(included.family === 'evm', 'an EVM transaction')
  if (included.succeeded || included.to === undefined) return undefined
  const call = {
    from: included.sender,
    to: included.to,
    data: included.data,
    value: quantity(included.value),
    gas: quantity(included.gasLimit),
  }
  const [traced, replayed] = await Promise.all([
    unsupportedMethods.has(TRACE)
      ? undefined
      : rpc.tryRequest(TRACE, [included.hash, { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } }]),
    rpc.tryRequest('eth_call', [call, quantity(included.blockNumber - 1)]),
  ])
  if (traced && !traced.ok && isUnsupportedMethod(traced.error)) unsupportedMethods.add(TRACE)
  if (traced?.ok) {
    // Nodes know no trace of a transaction that they have not executed themselves.
    const { output, error } = (traced.result ?? {}) as { output?: Hex; error?: string }
    const { reason } = decodeRevert(output, error)
    if (reason !== undefined) return reason
  }
  if (replayed.ok || !isRevert(replayed.error)) return undefined
  return decodeRevert(revertData(replayed.error), replayed.error.message).reason
}
