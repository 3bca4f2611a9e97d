import { parseAbi, toFunctionSelector } from 'viem'
import type { ContractRead } from '../../chains/index.ts'
import type { Strategy } from '../port.ts'

const v1Abi = parseAbi(['function timelock() view returns (uint256)'])
const v2Abi = parseAbi([
  'function timelock(bytes4 selector) view returns (uint256)',
  'function abdicated(bytes4 selector) view returns (bool)',
])

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
  const ofEach = (functionName: string) =>
    ADDING_RISK.map((selector) => ({ address, abi: v2Abi, functionName, args: [selector] }))
  return [{ address, abi: v1Abi, functionName: 'timelock', args: [] }, ...ofEach('timelock'), ...ofEach('abdicated')]
}

/**
 * The shortest delay among the results of {@link timelockCalls}; `undefined`: the vault reports none, or its curator gave
 * up all three functions.
 */
export function timelockFrom([one, ...others]: readonly unknown[]): number | undefined {
  if (isDelay(one)) return Number(one)
  const [delays, abdicated] = [others.slice(0, ADDING_RISK.length), others.slice(ADDING_RISK.length)]
  // A vault that lacks one of the functions is of another kind.
  if (!delays.every((delay) => typeof delay === 'bigint')) return undefined
  // A function that was given up is never called again: its delay stays as it was, or has no end.
  const left = delays.filter((delay, i) => abdicated[i] !== true && isDelay(delay))
  return left.length === 0 ? undefined : Math.min(...left.map(Number))
}

const isDelay = (result: unknown): result is bigint => typeof result === 'bigint' && result <= LONGEST_PLAUSIBLE
