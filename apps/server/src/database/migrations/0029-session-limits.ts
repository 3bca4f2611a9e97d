import { type Kysely, sql } from 'kysely'

/**
 * Sessions record when and from where they were last used, members whose password somebody else set, and the counting
 * of failed logins extends over all addresses of an account.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table sessions
      add column last_used_at timestamptz not null default now(),
      add column address text,
      add column user_agent text;
    -- Every refresh token so far was issued for thirty days.
    update sessions session set last_used_at = greatest(session.created_at, coalesce((
      select max(token.expires_at) - interval '30 days' from refresh_tokens token
      where token.organization_id = session.organization_id and token.session_id = session.id
    ), session.created_at));
    create index sessions_by_user on sessions (organization_id, user_id) where revoked_at is null;

    alter table users
      add column password_change_required boolean not null default false,
      add column password_expires_at timestamptz,
      add column approves_after timestamptz;

    create table login_account_attempts (
      subject bytea primary key,
      attempted_at timestamptz[] not null,
      last_at timestamptz not null
    );
    create index login_account_attempts_by_age on login_account_attempts (last_at);

    create table login_addresses (
      subject bytea primary key,
      last_at timestamptz not null
    );
  `.execute(db)
}
