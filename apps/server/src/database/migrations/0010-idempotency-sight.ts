import { type Kysely, sql } from 'kysely'

/** Whose answer it is: a wallet profile's key must not be shown what another profile's was answered. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table idempotency_keys add column wallet_profile_id bigint`.execute(db)
}
