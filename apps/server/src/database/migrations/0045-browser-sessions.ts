import { type Kysely, sql } from 'kysely'

/** Tokens that browsers hold in a cookie, apart from refresh tokens: neither works in the place of the other. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table refresh_tokens add column is_cookie boolean not null default false`.execute(db)
}
