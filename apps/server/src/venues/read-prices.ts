import type { Chain } from '../chains/index.ts'
import type { Database } from '../database/index.ts'
import { strategiesOnChain } from './catalogue/find-strategies.ts'
import type { Strategy } from './port.ts'
import { readEachStrategy } from './read-each-strategy.ts'
import { venueFor } from './venue-for.ts'

/**
 * Prices of every strategy of a chain at one block, in one batched read. Strategies whose contracts are unreadable are
 * omitted (refreshRates logs them), with `needsAll` none that the chain did not serve. Throws CHAIN_UNAVAILABLE when
 * none can be read.
 */
export async function readPrices(
  db: Database,
  chain: Chain,
  at: number,
  { needsAll }: { readonly needsAll: boolean },
): Promise<{ strategy: Strategy; price: bigint }[]> {
  const strategies = await strategiesOnChain(db, chain.network.blockchain)
  return readEachStrategy(
    strategies,
    async (strategy) => {
      const [price] = await venueFor(strategy.protocol).prices(chain, [strategy], at)
      return { strategy, price: price! }
    },
    { needsAll },
  )
}
