import { sql } from 'kysely'
import type { Chain } from '../../chains/index.ts'
import { type Database, holdsLease } from '../../database/index.ts'
import { type Clock, type Log, WITHDRAWABLE_BATCH } from '../../kernel/index.ts'
import {
  type PositionReading,
  probePositions,
  readPositions,
  type SharesQuery,
  strategiesOnChain,
  venueFor,
} from '../../venues/index.ts'

/**
 * Reads what the owners of a page of open positions of a chain could withdraw now, and saves it with the time of the
 * latest block, beside what the position is worth in the same reading. Returns the id to continue `after`, 0 after the
 * last page. Unreadable positions become unknown. One HTTP call where protocols report it, three statements. Of the
 * vaults that do not report it, those read longest ago are probed (`WITHDRAWAL_PROBES`); the others keep what was
 * found, with its time. Throws CHAIN_UNAVAILABLE.
 */
export async function refreshWithdrawable(
  parts: { readonly db: Database; readonly clock: Clock; readonly log: Log },
  chain: Chain,
  after: number,
): Promise<number> {
  const { blockchain } = chain.network
  const page = await parts.db
    .selectFrom('allocations')
    .innerJoin('wallets', (join) =>
      join
        .onRef('wallets.organization_id', '=', 'allocations.organization_id')
        .onRef('wallets.id', '=', 'allocations.wallet_id'),
    )
    .select(['allocations.id', 'allocations.strategy_id', 'allocations.withdrawable_at', 'wallets.address'])
    .where('wallets.blockchain', '=', blockchain)
    .where('allocations.status', '<>', 'CLOSED')
    .where('allocations.id', '>', after)
    .orderBy('allocations.id')
    .limit(WITHDRAWABLE_BATCH)
    .execute()
  if (page.length === 0) return 0
  const strategies = new Map((await strategiesOnChain(parts.db, blockchain)).map((strategy) => [strategy.id, strategy]))
  const queries = page.map(({ strategy_id, address }) => ({ strategy: strategies.get(strategy_id)!, owner: address }))
  const readAt = new Map<number, number>()
  for (const { strategy_id: id, withdrawable_at: at } of page)
    readAt.set(id, Math.min(at?.getTime() ?? 0, readAt.get(id) ?? Number.POSITIVE_INFINITY))
  const [{ latest }, told] = await Promise.all([chain.heads(), readPositions(chain, queries, parts.log)])
  const readings = await probePositions(chain, queries, told, (strategyId) => readAt.get(strategyId)!)
  const found = page.flatMap(({ id }, index) => {
    const reading = readings[index]
    if (reading?.isUnproven) return []
    const withdrawable = reading?.withdrawable ?? null
    return [{ id, withdrawable, of: reading && withdrawable !== null ? worthOf(queries[index]!, reading) : null }]
  })
  await sql`
    update allocations a set withdrawable = r.withdrawable, withdrawable_at = ${latest.time}, withdrawable_of = r.of,
      withdrawable_of_at = ${latest.time}
    from unnest(
      ${found.map(({ id }) => id)}::bigint[],
      ${found.map(({ withdrawable }) => withdrawable)}::numeric[],
      ${found.map(({ of }) => of)}::numeric[]
    ) as r (id, withdrawable, of)
    where a.id = r.id and a.status <> 'CLOSED' and ${holdsLease(parts.db)}
  `.execute(parts.db)
  return page.length < WITHDRAWABLE_BATCH ? 0 : page.at(-1)!.id
}

const worthOf = ({ strategy }: SharesQuery, { shares, price }: PositionReading): bigint =>
  venueFor(strategy.protocol).valueOf(shares, price)
