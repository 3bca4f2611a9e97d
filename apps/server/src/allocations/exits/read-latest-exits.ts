import type { Chain } from '../../chains/index.ts'
import { maxAmount } from '../../kernel/index.ts'
import { type ExitReading, type Strategy, undefinedIfUnavailable, venueFor } from '../../venues/index.ts'
import type { WalletExit } from './read-wallet-exits.ts'

/** What one wallet may have requested back: from these strategies, of which the ledger knows `settled`. */
export interface ExitsQuery {
  readonly owner: string
  readonly strategies: readonly Strategy[]
  readonly settled: readonly WalletExit[]
}

export interface LatestExits {
  readonly exits: readonly WalletExit[]
  /** The strategies that could not be read: whether something is on its way from them is unknown. */
  readonly unread: ReadonlySet<number>
}

/**
 * The exits of each wallet in the latest block, in the order of the queries; strategies without exits have none. A plan
 * needs them: a request that landed becomes final minutes later, and until then it would be requested again. What
 * either the ledger or the chain shows counts as on its way, because a claim that landed is not final either. Throws
 * CHAIN_UNAVAILABLE.
 */
export async function readLatestExits(chain: Chain, queries: readonly ExitsQuery[]): Promise<LatestExits[]> {
  const pairs = queries.flatMap(({ owner, strategies }, query) =>
    strategies
      .filter(({ protocol }) => venueFor(protocol).exits !== undefined)
      .map((strategy) => ({ query, strategy, owner })),
  )
  const readings = new Map<(typeof pairs)[number], ExitReading>()
  await Promise.all(
    [...Map.groupBy(pairs, ({ strategy }) => strategy.id).values()].map(async (own) => {
      const read = await undefinedIfUnavailable(venueFor(own[0]!.strategy.protocol).exits!.read(chain, own))
      for (const [index, pair] of own.entries()) if (read) readings.set(pair, read[index]!)
    }),
  )
  return queries.map(({ settled }, query) => {
    const own = pairs.filter((pair) => pair.query === query)
    const isAsked = new Set(own.map(({ strategy }) => strategy.id))
    const exits = own.map((pair) => {
      const { strategy } = pair
      return latestOf(
        strategy,
        settled.find(({ strategyId }) => strategyId === strategy.id),
        readings.get(pair),
      )
    })
    return {
      exits: [...settled.filter(({ strategyId }) => !isAsked.has(strategyId)), ...exits.flatMap((exit) => exit ?? [])],
      unread: new Set(own.filter((pair) => !readings.has(pair)).map(({ strategy }) => strategy.id)),
    }
  })
}

function latestOf(
  strategy: Strategy,
  settled: WalletExit | undefined,
  reading: ExitReading | undefined,
): WalletExit | undefined {
  if (!reading) return settled
  const known = settled ? settled.pending + settled.claimable : 0n
  const total = maxAmount(known, reading.pending + reading.claimable)
  if (total === 0n) return undefined
  const { claimable, claimableAt } = reading
  return { strategyId: strategy.id, name: strategy.name, pending: total - claimable, claimable, claimableAt }
}
