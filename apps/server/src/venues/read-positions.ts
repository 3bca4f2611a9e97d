import type { Chain } from '../chains/index.ts'
import { type Log, outageLogsBy } from '../kernel/index.ts'
import { ContractUnavailableError } from './contract-unavailable.ts'
import type { PositionReading, SharesQuery } from './port.ts'
import { venueFor } from './venue-for.ts'

const outagesOf = outageLogsBy({
  away: 'failed to read the positions in a strategy; they are left out',
  back: 'the positions in a strategy can be read again',
})

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
      const outages = log && outagesOf(log, log)
      try {
        const read = await venueFor(strategy.protocol).positions(chain, own)
        for (const [index, query] of own.entries()) readings.set(query, read[index]!)
        outages?.recovered({ strategy: strategy.key })
      } catch (error) {
        if (!(error instanceof ContractUnavailableError)) throw error
        outages?.failed({ strategy: strategy.key }, { err: error })
      }
    }),
  )
  return queries.map((query) => readings.get(query))
}
