import { type Kysely, sql } from 'kysely'

/** Recovery codes name the pepper of their hash, so that a rotation shows how many a pepper still holds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table user_recovery_codes add column pepper_id text not null default '0'`.execute(db)
}
