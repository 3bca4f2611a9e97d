import { type Kysely, sql } from 'kysely'

/**
 * Whether a treasury's bytes can still land on Solana is asked of the node (their blockhash is valid or not): the height
 * that was meant to tell it was never written, nor read.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table treasury_sends drop column last_valid_block_height;
  `.execute(db)
}
