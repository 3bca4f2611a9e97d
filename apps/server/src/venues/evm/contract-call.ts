import { type Abi, type ContractFunctionName, type EncodeFunctionDataParameters, encodeFunctionData } from 'viem'
import type { Call } from '../../chains/index.ts'

/** A contract call for a plan, without native coins. */
export function contractCall<const abi extends Abi, name extends ContractFunctionName<abi>>(
  to: string,
  call: EncodeFunctionDataParameters<abi, name>,
): Call {
  return { family: 'evm', to, data: encodeFunctionData(call), value: 0n }
}
