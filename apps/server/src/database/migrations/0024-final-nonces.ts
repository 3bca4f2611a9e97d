import { type Kysely, sql } from 'kysely'

/**
 * The nonces of a sender that final blocks show, separate from what nodes report: neither a lagging node nor a
 * reorganization reverts them (rule 3).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table chain_nonces add column final_count bigint not null default 0`.execute(db)
}
