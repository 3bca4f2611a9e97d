import { sql } from 'kysely'
import type { BatchedCall } from '../../../database/index.ts'
import { type Movement, type Strategy, venueFor } from '../../../venues/index.ts'
import type { Wallet } from '../../../wallets/index.ts'
import type { Operation } from '../../lifecycle/states/operation.ts'
import type { SettlementContext } from '../shared/settlement-context.ts'

/** From which block on a reconciliation of a position has seen a movement. */
interface PassedMovement {
  readonly wallet: Pick<Wallet, 'organizationId' | 'walletId'>
  readonly strategyId: number
  readonly blockNumber: number
  /** Earlier entries are about another chain, where a development chain has begun again. */
  readonly since: Date
}

interface MovementOf {
  readonly operation: Pick<Operation, 'createdAt'>
  readonly strategy: Strategy
  readonly movement: Movement
}

/** An entry of `reconcile-shares.ts`. */
interface ExternalPosting {
  /** Positive for shares that came. */
  readonly change: bigint
  /** What they were posted as; positive for value that came. */
  readonly value: bigint
  /** Per share. */
  readonly price: bigint
}

/**
 * The value at which the shares of a movement were posted as external, because a reconciliation found them before their
 * transaction; `undefined` if none did. Without it they would be posted twice until the next reconciliation, and the
 * second ones would earn too (rule 6).
 *
 * A reconciliation of the position at the movement's block or later has counted it, whatever else it counted.
 */
export async function findExternalPosting(
  { batcher, block, snapshot: { wallet, isAtBlock } }: SettlementContext,
  { operation, strategy, movement: { direction, shares } }: MovementOf,
): Promise<bigint | undefined> {
  // Nothing later than a block is settled before it.
  if (isAtBlock) return undefined
  const key = { wallet, strategyId: strategy.id, blockNumber: block.number, since: operation.createdAt }
  const posted = await batcher.call(FIRST_EXTERNAL_POSTING, key)
  if (!posted) return undefined
  const sign = direction === 'in' ? 1n : -1n
  // Exactly what was posted, where nothing else came or left with it.
  return posted.change === sign * shares
    ? sign * posted.value
    : venueFor(strategy.protocol).valueOf(shares, posted.price)
}

/** The first external change of shares in a position that was posted at a block or later. */
const FIRST_EXTERNAL_POSTING: BatchedCall<PassedMovement, ExternalPosting | undefined> = {
  async run(tx, keys) {
    const { rows } = await sql<ExternalPosting & { readonly place: number }>`
      select distinct on (k.place) k.place::int as place, -p.amount as value,
        split_part(e.source, ':', 5)::numeric(78, 0) - split_part(e.source, ':', 4)::numeric(78, 0) as change,
        split_part(e.source, ':', 6)::numeric(78, 0) as price
      from unnest(${keys.map(({ wallet }) => wallet.organizationId)}::bigint[],
        ${keys.map(({ wallet }) => wallet.walletId)}::bigint[], ${keys.map(({ strategyId }) => strategyId)}::bigint[],
        ${keys.map(({ blockNumber }) => blockNumber)}::bigint[], ${keys.map(({ since }) => since)}::timestamptz[])
        with ordinality as k(organization_id, wallet_id, strategy_id, block_number, since, place)
      join ledger_postings p on p.organization_id = k.organization_id and p.wallet_id = k.wallet_id
        and p.account = 'external'
      join ledger_entries e on e.organization_id = p.organization_id and e.id = p.entry_id
        and e.kind = 'external_position' and e.block_number >= k.block_number and e.created_at >= k.since
        -- Entries of earlier versions have no price.
        and split_part(e.source, ':', 6) <> ''
      join allocations a on a.organization_id = e.organization_id and a.strategy_id = k.strategy_id
        and a.id = split_part(e.source, ':', 3)::bigint
      order by k.place, e.id
    `.execute(tx)
    const byPlace = new Map(rows.map((row) => [row.place, row]))
    return keys.map((_, index) => byPlace.get(index + 1))
  },
}
