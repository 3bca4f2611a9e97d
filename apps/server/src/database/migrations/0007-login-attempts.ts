import { type Kysely, sql } from 'kysely'

/** Counts failed logins across processes, and indexes the tokens of a session. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table login_attempts (
      subject bytea primary key,
      attempted_at timestamptz[] not null,
      last_at timestamptz not null
    );
    create index login_attempts_by_age on login_attempts (last_at);

    create index refresh_tokens_by_session on refresh_tokens (organization_id, session_id);
  `.execute(db)
}
