import { type Abi, type Address, decodeFunctionResult, getAddress, type Hex, multicall3Abi } from 'viem'
import { MULTICALL_CALLS_MAX } from '../../../kernel/index.ts'
import type { ContractRead } from '../../port/families.ts'
import { PastStateMissingError } from '../../port/past-state-missing.ts'
import { decodeResult } from '../../rpc/decode-result.ts'
import type { RpcError } from '../../rpc/endpoint.ts'
import { isStateMissing } from '../../rpc/past-state.ts'
import { requestRejected } from '../../rpc/rpc.ts'
import type { EvmContext } from '../context.ts'
import { isGivenUp, isOutOfGas } from '../errors/exhausted-call.ts'
import { blockTag, quantity } from '../wire.ts'
import { encodeRead } from './encode-read.ts'

/** The address of Multicall3 on every public chain; the embedded chains use it too. */
export const MULTICALL3: Address = '0xcA11bde05977b3631167028862bE2a173976CA11'

/**
 * Contract reads at a block or the latest, in call order: one eth_call per 200, all of them in one HTTP call. Throws
 * {@link PastStateMissingError} if no node keeps the state of that block. A read
 * that reverts, or returns data that its ABI cannot decode (no contract there), is `undefined`. So is one that uses up
 * the gas of its eth_call: the others are then read without it, in halves.
 */
export async function multicall(context: EvmContext, calls: readonly ContractRead[], at?: number): Promise<unknown[]> {
  return (await Promise.all(batchesOf(calls).map((part) => aggregate(context, part, at)))).flat()
}

/**
 * The same reads on the state of a block under another block time. `undefined` when the node refuses the override; not
 * every node supports it, and only an estimate depends on it.
 */
export async function multicallAtTime(
  { rpc }: EvmContext,
  calls: readonly ContractRead[],
  time: Date,
  at?: number,
): Promise<unknown[] | undefined> {
  const overrides = { time: quantity(Math.floor(time.getTime() / 1_000)) }
  const parts = batchesOf(calls).map(async (part) => {
    const response = await rpc.tryRequest('eth_call', [aggregateCall(part), blockTag(at), {}, overrides])
    return response.ok && response.result !== '0x' ? decodeResults(part, response.result as Hex) : undefined
  })
  const read = await Promise.all(parts)
  return read.every((part) => part !== undefined) ? read.flat() : undefined
}

function batchesOf(calls: readonly ContractRead[]): ContractRead[][] {
  const parts: ContractRead[][] = []
  for (let from = 0; from < calls.length; from += MULTICALL_CALLS_MAX) {
    parts.push(calls.slice(from, from + MULTICALL_CALLS_MAX))
  }
  return parts
}

async function aggregate(
  context: Pick<EvmContext, 'rpc' | 'refusedPastReads'>,
  calls: readonly ContractRead[],
  at?: number,
): Promise<unknown[]> {
  const { rpc, refusedPastReads } = context
  const response = await rpc.tryRequest('eth_call', [aggregateCall(calls), blockTag(at)])
  if (!response.ok) {
    const { message } = response.error
    if (!isExhausted(response.error)) {
      const isMissing = at !== undefined && (isStateMissing(response.error) || refusedPastReads.refuse(at))
      throw isMissing ? new PastStateMissingError('eth_call', message) : requestRejected('eth_call', message)
    }
    if (calls.length === 1) return [undefined]
    const middle = Math.ceil(calls.length / 2)
    const halves = [calls.slice(0, middle), calls.slice(middle)]
    return (await Promise.all(halves.map((half) => aggregate(context, half, at)))).flat()
  }
  if (at !== undefined) refusedPastReads.serve(at)
  // Without code at the address, an eth_call succeeds with an empty result.
  if (response.result === '0x')
    throw requestRejected('eth_call', 'Multicall3 does not exist on this chain at that block')
  return decodeResults(calls, response.result as Hex)
}

/**
 * Whether a contract used up the gas, or the time, of the whole eth_call. Multicall3 reports a contract that fails in any
 * other way among its results.
 */
function isExhausted(error: RpcError): boolean {
  return isOutOfGas(error) || isGivenUp(error) || /execution reverted|multicall3/i.test(error.message)
}

function aggregateCall(calls: readonly ContractRead[]): { to: Address; data: Hex } {
  const data = encodeRead({
    abi: multicall3Abi,
    functionName: 'aggregate3',
    args: [calls.map((call) => ({ target: getAddress(call.address), allowFailure: true, callData: encodeRead(call) }))],
  })
  return { to: MULTICALL3, data }
}

function decodeResults(calls: readonly ContractRead[], response: Hex): unknown[] {
  const results = decodeResult('aggregate3', () =>
    decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data: response }),
  )
  if (results.length !== calls.length) throw requestRejected('aggregate3', 'the results of calls are missing')
  return results.map(({ success, returnData }, index) => {
    const call = calls[index]
    return success && call ? decode(call, returnData) : undefined
  })
}

function decode({ abi, functionName }: ContractRead, data: Hex): unknown {
  try {
    return decodeFunctionResult({ abi: abi as Abi, functionName, data })
  } catch {
    return undefined
  }
}
