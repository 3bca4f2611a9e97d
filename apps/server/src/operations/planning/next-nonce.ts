import { type QueryCreator, type RawBuilder, sql } from 'kysely'
import type { NonceCounts } from '../../chains/index.ts'
import type { Schema } from '../../database/index.ts'

/**
 * The next nonce of a sender (rule 3). Nonces belong to chain and address, across organizations, so the statement that
 * stores the node's count also locks the sender's until the plan commits.
 */

/** The parameters of the two parts of a statement below. */
export type NonceParameter = 'blockchain' | 'address' | 'latestNonce' | 'latestBlock' | 'isCounted'
type Place = (name: NonceParameter) => never

export const nonceParameters = (nonces: NonceCounts | null) => ({
  latestNonce: nonces?.latest ?? 0,
  latestBlock: nonces?.block ?? 0,
  isCounted: nonces !== null,
})

/**
 * Whether a node's count replaces the stored one. A lower count is a lagging node's (rule 3), unless the block of the
 * stored one is settled and the node has it as well: then that count was of a block that left the chain before anybody
 * followed it, and every plan after it would leave a nonce gap.
 */
const REPLACES_COUNT = sql`(excluded.latest_count > chain_nonces.latest_count
  or excluded.latest_count < chain_nonces.latest_count and excluded.latest_block > chain_nonces.latest_block
  and exists (select from chain_cursors c
    where c.blockchain = excluded.blockchain and c.final_number >= chain_nonces.latest_block))`

/** A CTE that stores the node's count, and returns the count that holds. No row where there are no nonces. */
export function storeCount(db: QueryCreator<Schema>, place: Place) {
  return db
    .insertInto('chain_nonces')
    .columns(['blockchain', 'address', 'latest_count', 'latest_block'])
    .expression(
      sql`select ${place('blockchain')}, ${place('address')}, ${place('latestNonce')}::bigint,
        ${place('latestBlock')}::bigint
        where ${place('isCounted')}::boolean`,
    )
    .onConflict((conflict) =>
      conflict.columns(['blockchain', 'address']).doUpdateSet({
        latest_count: sql`case when ${REPLACES_COUNT} then excluded.latest_count
            else chain_nonces.latest_count end`,
        latest_block: sql`case when ${REPLACES_COUNT} then excluded.latest_block
            when excluded.latest_count = chain_nonces.latest_count
            then greatest(excluded.latest_block, chain_nonces.latest_block) else chain_nonces.latest_block end`,
      }),
    )
    .returning(sql<number>`greatest(chain_nonces.latest_count, chain_nonces.final_count)`.as('count'))
}

/** The nonce after the sender's pending transactions that a node has shown or whose signed bytes are stored. */
export const afterPendingSql = (place: Place): RawBuilder<number | null> => sql<number | null>`
  (select max(t.nonce) + 1 from transactions t
    where t.blockchain = ${place('blockchain')} and t.sender = ${place('address')} and t.state = 'pending'
    and (t.last_seen_at is not null or exists (select 1 from transaction_hashes h
      where h.organization_id = t.organization_id and h.transaction_id = t.id and h.raw is not null)))`

/** `null`: the chain has no nonces. */
export function nextNonce(
  nonces: NonceCounts | null,
  stored: { readonly count: number | null; readonly afterPending: number | null },
): number | null {
  return nonces && Math.max(nonces.pending, stored.count ?? 0, stored.afterPending ?? 0)
}
