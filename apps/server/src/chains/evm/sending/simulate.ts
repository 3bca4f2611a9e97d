import type { Hex } from 'viem'
import { CallUnfinishedError } from '../../port/call-unfinished.ts'
import { type Call, evmCall } from '../../port/calls.ts'
import type { SimulationResult } from '../../port/chain.ts'
import { decodeResult } from '../../rpc/decode-result.ts'
import type { RpcError } from '../../rpc/endpoint.ts'
import { integerFrom } from '../../rpc/integer-from.ts'
import { isUnsupportedMethod } from '../../rpc/node-faults.ts'
import { requestRejected } from '../../rpc/rpc.ts'
import type { EvmContext } from '../context.ts'
import { decodeRevert, isRevert, revertData } from '../errors/decode-revert.ts'
import { isGivenUp } from '../errors/exhausted-call.ts'
import { quantity } from '../wire.ts'

const SIMULATE = 'eth_simulateV1'

/**
 * An empty block before that of the calls, so that they run later than the latest block, as they will. Some nodes give a
 * simulation's first block the latest block's time, when a market that was just used accrues nothing: its gas would be
 * too low.
 */
const NEXT_BLOCK = { calls: [] }

/**
 * Gas limit for calls that cannot be estimated because an earlier one has not happened yet: Aave's first supply of an
 * account takes about 210,000; an ERC-4626 deposit into a vault that lends on, up to 600,000.
 */
const FALLBACK_GAS_LIMIT = 900_000n

/** State changes between planning and inclusion (interest accrues, refunds differ); unused gas costs nothing. */
export function withHeadroom(gas: bigint): bigint {
  return (gas * 5n) / 4n + 15_000n
}

interface WireCallResult {
  readonly status: string
  readonly gasUsed: string
  /** The peak before refunds; newer nodes only. */
  readonly maxUsedGas?: string
  readonly returnData?: string
  readonly error?: { readonly code?: number; readonly message?: string; readonly data?: string }
}

/**
 * Runs the calls in sequence on the latest state, at a later time, so that a supply runs with its approval in place (rule 9). Without
 * validation: whether the sender can pay for gas is checked separately.
 *
 * Without eth_simulateV1, the first call is estimated and later ones get a fixed limit; each of those is simulated once
 * the call before it is included. Throws {@link CallUnfinishedError} if a node gave up on these calls.
 */
export async function simulate(context: EvmContext, from: string, calls: readonly Call[]): Promise<SimulationResult> {
  const { rpc, unsupportedMethods } = context
  if (unsupportedMethods.has(SIMULATE)) return estimateFirst(context, from, calls)
  const response = await rpc.tryRequest(SIMULATE, [
    { blockStateCalls: [NEXT_BLOCK, { calls: calls.map((call) => toWire(from, call)) }], validation: false },
    'latest',
  ])
  if (response.ok) {
    return decodeResult(SIMULATE, () => {
      const { calls: results } = (response.result as { calls: WireCallResult[] }[]).at(-1)!
      if (results.length !== calls.length) throw requestRejected(SIMULATE, 'the results of calls are missing')
      return toSimulation(results)
    })
  }
  if (isUnsupportedMethod(response.error)) {
    unsupportedMethods.add(SIMULATE)
    return estimateFirst(context, from, calls)
  }
  return toFailedSimulation(SIMULATE, response.error)
}

/** A node's error for the whole simulation: caused by the first call, or by the node itself. */
function toFailedSimulation(method: string, problem: RpcError): SimulationResult {
  const { message } = problem
  if (isRevert(problem)) return { ok: false, index: 0, ...decodeRevert(revertData(problem), message) }
  // The call's value exceeds the sender's balance; fees are not checked here.
  if (/insufficient ?funds|insufficient balance/i.test(message)) {
    return { ok: false, index: 0, code: 'INSUFFICIENT_FUNDS', reason: message }
  }
  throw isGivenUp(problem) ? new CallUnfinishedError(method, message) : requestRejected(method, message)
}

function toSimulation(results: readonly WireCallResult[]): SimulationResult {
  for (const [index, { status, error, returnData }] of results.entries()) {
    if (status === '0x1') continue
    const data = [error?.data, returnData].find((hex) => hex !== undefined && hex.length > 2)
    return { ok: false, index, ...decodeRevert(data as Hex | undefined, error?.message) }
  }
  return {
    ok: true,
    gas: results.map(({ gasUsed, maxUsedGas }) => withHeadroom(integerFrom('gasUsed', maxUsedGas ?? gasUsed))),
    returned: results.map(({ returnData = '' }) => (ONE_WORD.test(returnData) ? BigInt(returnData) : undefined)),
  }
}

const ONE_WORD = /^0x[0-9a-f]{64}$/i

async function estimateFirst({ rpc }: EvmContext, from: string, calls: readonly Call[]): Promise<SimulationResult> {
  const [first, ...later] = calls
  if (!first) return { ok: true, gas: [] }
  const response = await rpc.tryRequest('eth_estimateGas', [toWire(from, first)])
  if (response.ok)
    return {
      ok: true,
      gas: [withHeadroom(integerFrom('eth_estimateGas', response.result)), ...later.map(() => FALLBACK_GAS_LIMIT)],
    }
  return toFailedSimulation('eth_estimateGas', response.error)
}

/** A call in JSON-RPC form. */
function toWire(from: string, call: Call): Record<string, string> {
  const { to, data, value } = evmCall(call)
  return { from, to, data, value: quantity(value) }
}
