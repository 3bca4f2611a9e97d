import type { Hex } from 'viem'
import { assert } from '../../../kernel/index.ts'
import type { EvmIncludedTransaction, IncludedTransaction } from '../../port/included-transaction.ts'
import { mayLackMethod } from '../../rpc/node-faults.ts'
import { NO_RESPONSE, OPTIONAL } from '../../rpc/rpc.ts'
import type { EvmContext } from '../context.ts'
import { decodeRevert, isRevert, revertData } from '../errors/decode-revert.ts'
import { quantity } from '../wire.ts'

const TRACE = 'debug_traceTransaction'

/**
 * Why an included transaction reverted. A trace is exact where nodes offer one; otherwise the same call on the state of
 * the parent block, which misses earlier transactions of its block. One HTTP call for each of the two. `undefined` when
 * neither explains it, or no node responds: nothing depends on a reason.
 */
export async function revertReason(context: EvmContext, included: IncludedTransaction): Promise<string | undefined> {
  assert(included.family === 'evm', 'an EVM transaction')
  if (included.succeeded || included.to === undefined) return undefined
  return (await tracedReason(context, included.hash)) ?? replayedReason(context, { ...included, to: included.to })
}

async function tracedReason({ rpc, unsupportedMethods }: EvmContext, hash: string): Promise<string | undefined> {
  if (unsupportedMethods.has(TRACE)) return undefined
  const options = { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } }
  const traced = await rpc.tryRequest(TRACE, [hash, options], OPTIONAL)
  if (!traced.ok) {
    // A node that takes too long for one trace would delay each block with a reverted transaction.
    if (traced === NO_RESPONSE || mayLackMethod({ method: TRACE, params: [] }, traced)) unsupportedMethods.add(TRACE)
    return undefined
  }
  // Nodes know no trace of a transaction that they have not executed themselves.
  const { output, error } = (traced.result ?? {}) as { output?: unknown; error?: unknown }
  return decodeRevert(textOf(output) as Hex | undefined, textOf(error)).reason
}

async function replayedReason(
  { rpc }: EvmContext,
  { sender, to, data, value, gasLimit, blockNumber }: EvmIncludedTransaction & { readonly to: string },
): Promise<string | undefined> {
  const call = { from: sender, to, data, value: quantity(value), gas: quantity(gasLimit) }
  const replayed = await rpc.tryRequest('eth_call', [call, quantity(blockNumber - 1)], OPTIONAL)
  if (replayed.ok || !isRevert(replayed.error)) return undefined
  return decodeRevert(revertData(replayed.error), replayed.error.message).reason
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
