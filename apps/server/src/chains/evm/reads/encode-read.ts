import { type Abi, encodeFunctionData, type Hex, prepareEncodeFunctionData } from 'viem'
import type { ContractRead } from '../../port/families.ts'

type Prepared = ReturnType<typeof prepareEncodeFunctionData<Abi, string>>

/** By ABI, which are constants of the code, and by function. */
const functions = new WeakMap<readonly unknown[], Map<string, Prepared>>()

/**
 * The data of a contract call. viem formats the signature of a function and hashes it at each call, which costs more than
 * the rest of the encoding; here each function is prepared once.
 */
export function encodeRead({ abi, functionName, args = [] }: Omit<ContractRead, 'address'>): Hex {
  return encodeFunctionData({ ...prepare(abi as Abi, functionName, args), args })
}

function prepare(abi: Abi, functionName: string, args: readonly unknown[]): Prepared {
  const known = functions.get(abi) ?? new Map<string, Prepared>()
  const found = known.get(functionName)
  if (found) return found
  const prepared = prepareEncodeFunctionData({ abi, functionName, args })
  // Which of several functions of one name is meant depends on the arguments.
  if (abi.filter((item) => item.type === 'function' && item.name === functionName).length === 1) {
    functions.set(abi, known.set(functionName, prepared))
  }
  return prepared
}
