import { type Kysely, sql } from 'kysely'

/** Second factors of users, the sessions that verified one, and organizations that require one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table users add column second_factors text[] not null default '{}';
    alter table sessions add column factor_verified_at timestamptz;
    alter table organizations add column second_factor_required boolean not null default false;

    create table user_totp (
      organization_id bigint not null,
      user_id bigint not null,
      sealed_secret bytea not null,
      created_at timestamptz not null,
      confirmed_at timestamptz,
      last_step bigint,
      primary key (organization_id, user_id),
      foreign key (organization_id, user_id) references users (organization_id, id)
    );

    create table user_passkeys (
      organization_id bigint not null,
      id bigint generated always as identity,
      user_id bigint not null,
      name text not null,
      credential_id bytea not null unique,
      public_key bytea not null,
      counter bigint not null,
      transports text[] not null,
      backed_up boolean not null,
      created_at timestamptz not null,
      last_used_at timestamptz,
      primary key (organization_id, id),
      foreign key (organization_id, user_id) references users (organization_id, id)
    );
    create index user_passkeys_by_user on user_passkeys (organization_id, user_id);

    create table user_recovery_codes (
      organization_id bigint not null,
      user_id bigint not null,
      code_hash bytea not null,
      used_at timestamptz,
      primary key (organization_id, user_id, code_hash),
      foreign key (organization_id, user_id) references users (organization_id, id)
    );

    create table factor_challenges (
      challenge_hash bytea primary key,
      purpose text not null check (purpose in ('login', 'sign_in', 'step_up', 'enroll')),
      organization_id bigint,
      user_id bigint,
      session_id bigint,
      expires_at timestamptz not null
    );
    create index factor_challenges_by_user on factor_challenges (organization_id, user_id);
    create index factor_challenges_by_age on factor_challenges (expires_at);
  `.execute(db)
}
