import { type Kysely, sql } from 'kysely'

/**
 * Solana has no nonces; its bytes name a recent blockhash and can land until the chain has advanced by a number of
 * blocks. The follower looks for watched bytes that have expired.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table transactions add column blockhash text, add column last_valid_block_height bigint;
    create index transactions_expiring on transactions (blockchain, last_valid_block_height)
      where watched and last_valid_block_height is not null;

    alter table treasury_sends add column last_valid_block_height bigint;
  `.execute(db)
}
