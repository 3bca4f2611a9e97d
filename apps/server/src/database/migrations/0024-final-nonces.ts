import { type Kysely, sql } from 'kysely'

/**
 * What final blocks show of a sender's nonces, apart from what nodes say of it: neither a node that lags nor a
 * reorganization takes that back (rule 3).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table chain_nonces add column final_count bigint not null default 0`.execute(db)
}
