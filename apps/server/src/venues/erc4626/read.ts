import type { Chain, ContractRead } from '../../chains/index.ts'
import { readAddresses } from '../evm/read-addresses.ts'
import { readIntegers } from '../evm/reader.ts'
import type { SharesQuery, Strategy } from '../port.ts'
import { vaultAbi } from './abi.ts'
import { PRICE_SCALE } from './price.ts'

export function acceptedTokens(chain: Chain, strategies: readonly Strategy[]): Promise<(string | undefined)[]> {
  return readAddresses(
    chain,
    strategies.map(({ params }) => ({ address: params.vault!, abi: vaultAbi, functionName: 'asset' })),
  )
}

/** Prices per share, in the scale of price.ts. */
export function prices(chain: Chain, strategies: readonly Strategy[], at?: number): Promise<bigint[]> {
  return readIntegers(chain, strategies.map(priceCall), at)
}

/** Balances of vault shares. */
export function shares(chain: Chain, queries: readonly SharesQuery[], at?: number): Promise<bigint[]> {
  return readIntegers(chain, queries.map(sharesCall), at)
}

export function sharesCall({ strategy, owner }: SharesQuery): ContractRead {
  return { address: strategy.params.vault!, abi: vaultAbi, functionName: 'balanceOf', args: [owner] }
}

export function priceCall(strategy: Strategy): ContractRead {
  return { address: strategy.params.vault!, abi: vaultAbi, functionName: 'convertToAssets', args: [PRICE_SCALE] }
}
