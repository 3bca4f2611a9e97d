import { type Kysely, sql } from 'kysely'

/**
 * Whether a treasury's bytes can still land on Solana is read from the node (their blockhash is valid or not): the
 * height column for it was never written or read.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table treasury_sends drop column last_valid_block_height;
  `.execute(db)
}
