import type { Chain } from '../chains/index.ts'
import type { Log } from '../kernel/index.ts'
import { ContractUnavailableError } from './contract-unavailable.ts'
import type { PositionReading, SharesQuery } from './port.ts'
import { venueFor } from './venue-for.ts'

/**
 * Positions in the latest block with what their owners could withdraw, in query order, in one HTTP call where protocols
 * report it. `undefined` where a strategy's contracts are unreadable: it must not hide the others. Throws
 * CHAIN_UNAVAILABLE when the chain is unavailable.
 */
export async function readPositions(
  chain: Chain,
  queries: readonly SharesQuery[],
  log?: Log,
): Promise<(PositionReading | undefined)[]> {
  const readings = new Map<SharesQuery, PositionReading>()
  await Promise.all(
    [...Map.groupBy(queries, ({ strategy }) => strategy.id).values()].map(async (own) => {
      const { strategy } = own[0]!
      try {
        const read = await venueFor(strategy.protocol).positions(chain, own)
        for (const [index, query] of own.entries()) readings.set(query, read[index]!)
      } catch (error) {
        if (!(error instanceof ContractUnavailableError)) throw error
        log?.warn(
          { strategy: strategy.key, err: error },
          'failed to read the positions in a strategy; they are left out',
        )
      }
    }),
  )
  return queries.map((query) => readings.get(query))
}
