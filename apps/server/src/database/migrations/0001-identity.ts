import { type Kysely, sql } from 'kysely'

/** Access control: organizations, members, sessions, wallet profiles and API keys. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table organizations (
      id bigint generated always as identity primary key,
      name text not null,
      rate_limits jsonb not null default '{}',
      created_at timestamptz not null,
      deleted_at timestamptz
    );

    create table users (
      organization_id bigint not null references organizations (id),
      id bigint generated always as identity unique,
      email text not null,
      name text,
      password_hash text not null,
      role text not null check (role in ('owner', 'admin', 'approver', 'viewer')),
      created_at timestamptz not null,
      removed_at timestamptz,
      primary key (organization_id, id)
    );
    create unique index users_email on users (email) where removed_at is null;

    create table sessions (
      organization_id bigint not null,
      id bigint generated always as identity unique,
      user_id bigint not null,
      created_at timestamptz not null,
      revoked_at timestamptz,
      primary key (organization_id, id),
      foreign key (organization_id, user_id) references users (organization_id, id)
    );

    create table refresh_tokens (
      token_hash bytea primary key,
      organization_id bigint not null,
      session_id bigint not null,
      expires_at timestamptz not null,
      used_at timestamptz,
      foreign key (organization_id, session_id) references sessions (organization_id, id)
    );

    create table wallet_profiles (
      organization_id bigint not null references organizations (id),
      id bigint generated always as identity unique,
      name text not null,
      is_default boolean not null default false,
      enabled_chains text[] not null,
      operation_timeout_seconds integer not null,
      created_at timestamptz not null,
      deleted_at timestamptz,
      primary key (organization_id, id)
    );
    create unique index wallet_profiles_default on wallet_profiles (organization_id) where is_default;

    create table api_keys (
      organization_id bigint not null references organizations (id),
      id bigint generated always as identity unique,
      name text not null,
      scope text not null check (scope in ('organization', 'profile', 'admin')),
      wallet_profile_id bigint,
      key_hash bytea not null unique,
      preview text not null,
      created_at timestamptz not null,
      last_used_at timestamptz,
      revoked_at timestamptz,
      primary key (organization_id, id),
      foreign key (organization_id, wallet_profile_id) references wallet_profiles (organization_id, id),
      check ((scope = 'profile') = (wallet_profile_id is not null))
    );
  `.execute(db)
}
