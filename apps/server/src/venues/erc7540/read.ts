import type { Chain } from '../../chains/index.ts'
import { priceCall } from '../erc4626/price.ts'
import { rates as ratesOfVault } from '../erc4626/rates.ts'
import { sharesCall } from '../erc4626/read.ts'
import { readIntegers } from '../evm/reader.ts'
import type { BlockTime, PositionReading, Rates, RatesQuery, SharesQuery } from '../port.ts'

/** No part of a position can be withdrawn at once: `maxWithdraw` of these vaults is what can be claimed. */
export async function positions(chain: Chain, queries: readonly SharesQuery[]): Promise<PositionReading[]> {
  const read = await readIntegers(
    chain,
    queries.flatMap((query) => [sharesCall(query), priceCall(query.strategy)]),
  )
  return queries.map((_, index) => ({ shares: read[index * 2]!, price: read[index * 2 + 1]!, withdrawable: 0n }))
}

export async function rates(chain: Chain, queries: readonly RatesQuery[], at?: BlockTime): Promise<Rates[]> {
  return (await ratesOfVault(chain, queries, at)).map((read) => ({ ...read, liquidity: 0n }))
}
