import { getAddress, isAddress } from 'viem'
import type { Chain, ContractRead } from '../../chains/index.ts'
import { requireEvmChain } from './reader.ts'

/** Checksummed addresses from contracts, in call order, in one batched read; `undefined`: the contract returns none. */
export async function readAddresses(chain: Chain, calls: readonly ContractRead[]): Promise<(string | undefined)[]> {
  const results = await requireEvmChain(chain).multicall(calls)
  return results.map((result) => (typeof result === 'string' && isAddress(result) ? getAddress(result) : undefined))
}
