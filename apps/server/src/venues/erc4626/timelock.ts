import { parseAbi, toFunctionSelector } from 'viem'
import type { ContractRead } from '../../chains/index.ts'
import type { Strategy } from '../port.ts'

const v1Abi = parseAbi(['function timelock() view returns (uint256)'])
const v2Abi = parseAbi(['function timelock(bytes4 selector) view returns (uint256)'])

/** What the curator of a Vault V2 can do to expose deposits to more. Each has its own delay. */
const ADDING_RISK = [
  'increaseAbsoluteCap(bytes,uint256)',
  'increaseRelativeCap(bytes,uint256)',
  'addAdapter(address)',
].map((signature) => toFunctionSelector(signature))

/** Morpho's vaults wait for weeks at most. A contract of another kind may mean something else by that function. */
const LONGEST_PLAUSIBLE = 10n * 31_536_000n

/**
 * What Morpho's vaults report about the delays of their curators: a MetaMorpho has one, a Vault V2 one for each function.
 * Other vaults do not know these functions.
 */
export function timelockCalls({ params }: Strategy): ContractRead[] {
  const address = params.vault!
  const calls = ADDING_RISK.map((selector) => ({ address, abi: v2Abi, functionName: 'timelock', args: [selector] }))
  return [{ address, abi: v1Abi, functionName: 'timelock', args: [] }, ...calls]
}

/** The shortest delay among the results of {@link timelockCalls}; `undefined`: the vault reports none. */
export function timelockFrom([one, ...others]: readonly unknown[]): number | undefined {
  if (isDelay(one)) return Number(one)
  // A vault that lacks one of the functions is of another kind. One that was given up has no end.
  if (!others.every((delay) => typeof delay === 'bigint') || !others.some(isDelay)) return undefined
  return Math.min(...others.filter(isDelay).map(Number))
}

const isDelay = (result: unknown): result is bigint => typeof result === 'bigint' && result <= LONGEST_PLAUSIBLE
