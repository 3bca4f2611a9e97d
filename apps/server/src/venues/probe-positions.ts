import { CallUnfinishedError, type Chain } from '../chains/index.ts'
import { minAmount, WITHDRAWAL_PROBES } from '../kernel/index.ts'
import type { PositionReading, SharesQuery } from './port.ts'
import { venueFor } from './venue-for.ts'

type Readings = readonly (PositionReading | undefined)[]

interface Unproven {
  readonly query: SharesQuery
  readonly reading: PositionReading
  readonly value: bigint
}

/**
 * Probes what positions could withdraw whose contracts do not report it, in query order. `withdrawable` of the probed
 * ones is no longer `isUnproven`. A strategy is probed with its largest such position: each smaller one could withdraw
 * as much, up to its value. In one read at most `WITHDRAWAL_PROBES.strategies` are tried, those first of `order`; the
 * others stay unproven, like one on whose simulations a node gave up. Throws CHAIN_UNAVAILABLE.
 */
export async function probePositions(
  chain: Chain,
  queries: readonly SharesQuery[],
  readings: Readings,
  order: (strategyId: number) => number,
): Promise<(PositionReading | undefined)[]> {
  const unproven = queries.flatMap((query, index): Unproven[] => {
    const reading = readings[index]
    if (!reading?.isUnproven) return []
    return [{ query, reading, value: venueFor(query.strategy.protocol).valueOf(reading.shares, reading.price) }]
  })
  const strategies = [...Map.groupBy(unproven, ({ query }) => query.strategy.id)]
    .toSorted(([a], [b]) => order(a) - order(b) || a - b)
    .slice(0, WITHDRAWAL_PROBES.strategies)
  const found = new Map(
    await Promise.all(
      strategies.map(async ([id, own]) => {
        const { query, reading } = own.reduce((largest, one) => (one.value > largest.value ? one : largest))
        return [id, await probeOrNothing(chain, query, reading)] as const
      }),
    ),
  )
  const values = new Map(unproven.map(({ query, value }) => [query, value]))
  return queries.map((query, index) => {
    const [value, payable] = [values.get(query), found.get(query.strategy.id)]
    const reading = readings[index]
    if (!reading || value === undefined || payable === undefined) return reading
    const { isUnproven: _, ...proven } = reading
    return { ...proven, withdrawable: minAmount(value, payable) }
  })
}

/** `undefined`: a node gave up on this vault, which says nothing about the others, nor that it pays nothing. */
async function probeOrNothing(chain: Chain, query: SharesQuery, reading: PositionReading): Promise<bigint | undefined> {
  try {
    return await probeWithdrawable(chain, query, reading)
  } catch (error) {
    if (error instanceof CallUnfinishedError) return undefined
    throw error
  }
}

/** What one owner could withdraw, probed where the contracts do not report it. Throws CHAIN_UNAVAILABLE. */
export async function probeWithdrawable(chain: Chain, query: SharesQuery, reading: PositionReading): Promise<bigint> {
  const { probe } = venueFor(query.strategy.protocol)
  return reading.isUnproven && probe ? await probe(chain, query, reading) : reading.withdrawable
}
