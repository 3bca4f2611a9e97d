import type { Hex } from 'viem'
import { type Call, evmCall } from '../calls.ts'
import type { Simulation } from '../port.ts'
import type { RpcProblem } from '../rpc/endpoint.ts'
import { refused } from '../rpc/rpc.ts'
import { type EvmContext, isUnknownMethod } from './context.ts'
import { decodeRevert, isRevert, revertData } from './revert.ts'
import { quantity } from './wire.ts'

const SIMULATE = 'eth_simulateV1'

/**
 * Gas limits for calls that cannot be estimated because an earlier one has not happened: Aave's first supply of an
 * account takes about 210,000, an ERC-4626 deposit into a vault that lends on, up to 600,000.
 */
const UNSEEN_GAS = 900_000n

/** State moves between planning and inclusion (interest accrues, refunds differ); unused gas costs nothing. */
export function withHeadRoom(gas: bigint): bigint {
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
 * Runs the calls one after the other on the latest state, so that a supply is tried with its approval in force
 * (money-rules 9). Without validation: whether the sender can pay for gas is judged apart.
 *
 * Where nodes do not know eth_simulateV1, the first call is estimated and later ones get a documented limit: they are
 * simulated once the call before them is included.
 */
export async function simulate(context: EvmContext, from: string, calls: readonly Call[]): Promise<Simulation> {
  const { rpc, lacking } = context
  if (lacking.has(SIMULATE)) return estimateFirst(context, from, calls)
  const answer = await rpc.ask(SIMULATE, [
    { blockStateCalls: [{ calls: calls.map((call) => toWire(from, call)) }], validation: false },
    'latest',
  ])
  if (answer.ok) {
    const [simulated] = answer.result as { calls: WireCallResult[] }[]
    return judge(simulated?.calls ?? [])
  }
  if (isUnknownMethod(answer.error)) {
    lacking.add(SIMULATE)
    return estimateFirst(context, from, calls)
  }
  return refusal(SIMULATE, answer.error)
}

/** A node that refuses the whole simulation: for the first call's sake, or because it is not well. */
function refusal(method: string, problem: RpcProblem): Simulation {
  const { message } = problem
  if (isRevert(problem)) return { ok: false, index: 0, ...decodeRevert(revertData(problem), message) }
  // The value that a call carries is more than the sender has; fees are not judged here.
  if (/insufficient ?funds|insufficient balance/i.test(message)) {
    return { ok: false, index: 0, code: 'INSUFFICIENT_FUNDS', reason: message }
  }
  throw refused(method, message)
}

function judge(results: readonly WireCallResult[]): Simulation {
  for (const [index, { status, error, returnData }] of results.entries()) {
    if (status === '0x1') continue
    const data = [error?.data, returnData].find((hex) => hex !== undefined && hex.length > 2)
    return { ok: false, index, ...decodeRevert(data as Hex | undefined, error?.message) }
  }
  return { ok: true, gas: results.map(({ gasUsed, maxUsedGas }) => withHeadRoom(BigInt(maxUsedGas ?? gasUsed))) }
}

async function estimateFirst({ rpc }: EvmContext, from: string, calls: readonly Call[]): Promise<Simulation> {
  const [first, ...later] = calls
  if (!first) return { ok: true, gas: [] }
  const answer = await rpc.ask('eth_estimateGas', [toWire(from, first)])
  if (answer.ok)
    return { ok: true, gas: [withHeadRoom(BigInt(answer.result as string)), ...later.map(() => UNSEEN_GAS)] }
  return refusal('eth_estimateGas', answer.error)
}

/** A call as JSON-RPC takes it. */
function toWire(from: string, call: Call): Record<string, string> {
  const { to, data, value } = evmCall(call)
  return { from, to, data, value: quantity(value) }
}
