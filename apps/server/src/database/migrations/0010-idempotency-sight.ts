import { type Kysely, sql } from 'kysely'

/** The owner of a stored response: a wallet profile's key must not see the response to another profile's key. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table idempotency_keys add column wallet_profile_id bigint`.execute(db)
}
