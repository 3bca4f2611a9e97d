import type { Chain, ContractRead } from '../../chains/index.ts'
import { readAddresses } from '../evm/read-addresses.ts'
import { readIntegers, requireEvmChain } from '../evm/reader.ts'
import type { SharesQuery, Strategy } from '../port.ts'
import { vaultAbi } from './abi.ts'
import { pricingCalls, pricingFrom } from './shortfall.ts'

export function acceptedTokens(chain: Chain, strategies: readonly Strategy[]): Promise<(string | undefined)[]> {
  return readAddresses(
    chain,
    strategies.map(({ params }) => ({ address: params.vault!, abi: vaultAbi, functionName: 'asset' })),
  )
}

/** Prices per share, in the scale of price.ts. */
export async function prices(chain: Chain, strategies: readonly Strategy[], at?: number): Promise<bigint[]> {
  if (strategies.length === 0) return []
  const calls = strategies.map(pricingCalls)
  const results = await requireEvmChain(chain).multicall(calls.flat(), at)
  return strategies.map((strategy, i) => pricingFrom(strategy, results.splice(0, calls[i]!.length)).price)
}

/** Balances of vault shares. */
export function shares(chain: Chain, queries: readonly SharesQuery[], at?: number): Promise<bigint[]> {
  return readIntegers(chain, queries.map(sharesCall), at)
}

export function sharesCall({ strategy, owner }: SharesQuery): ContractRead {
  return { address: strategy.params.vault!, abi: vaultAbi, functionName: 'balanceOf', args: [owner] }
}
