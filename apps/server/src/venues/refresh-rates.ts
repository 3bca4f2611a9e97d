import type { Chain } from '../chains/index.ts'
import type { Database } from '../database/index.ts'
import type { Clock, Log } from '../kernel/index.ts'
import { strategiesOnChain } from './catalogue/find-strategies.ts'
import { pastPrices, type StrategyRates, saveRates } from './catalogue/strategy-rates.ts'
import type { BlockTime } from './port.ts'
import { readEachStrategy } from './read-each-strategy.ts'
import { venueFor } from './venue-for.ts'

interface RateParts {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
}

/**
 * Reads price, APY, TVL and liquidity of every strategy of a chain at one block (by default the latest) in one batched
 * read and saves them in one statement. Throws CHAIN_UNAVAILABLE when the chain is unavailable.
 */
export async function refreshRates(parts: RateParts, chain: Chain, at?: BlockTime): Promise<void> {
  const { blockchain } = chain.network
  const strategies = await strategiesOnChain(parts.db, blockchain)
  if (strategies.length === 0) return
  const block = at ?? (await chain.heads()).latest
  const past = await pastPrices(parts.db, blockchain, block.time)
  const readings = await readEachStrategy<StrategyRates>(
    strategies,
    async (strategy) => {
      const queries = [{ strategy, past: past.get(strategy.id) }]
      const [rates] = await venueFor(strategy.protocol).rates(chain, queries, block)
      return { strategyId: strategy.id, ...rates! }
    },
    parts,
  )
  await saveRates(parts.db, block, readings, parts.clock.now())
}
