import { type Kysely, sql } from 'kysely'

/**
 * Single sign-on by OpenID Connect: identity providers of an organization, domains that it proved, the accounts at
 * providers that members sign in with, and sign-ins under way. Nobody has to use it until an owner requires it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sso_providers (
      organization_id bigint not null references organizations (id),
      id bigint generated always as identity unique,
      name text not null,
      issuer text not null,
      client_id text not null,
      client_secret bytea not null,
      scopes text[] not null,
      verified_email_claim text not null,
      role_claim text,
      role_mappings jsonb not null,
      default_role text check (default_role in ('admin', 'approver', 'viewer')),
      allow_owner boolean not null,
      enforced boolean not null,
      break_glass_user_id bigint,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      deleted_at timestamptz,
      primary key (organization_id, id),
      foreign key (organization_id, break_glass_user_id) references users (organization_id, id)
    );

    create table sso_domains (
      organization_id bigint not null references organizations (id),
      id bigint generated always as identity unique,
      domain text not null,
      challenge text not null,
      provider_id bigint,
      created_at timestamptz not null,
      verified_at timestamptz,
      primary key (organization_id, id),
      unique (organization_id, domain),
      foreign key (organization_id, provider_id) references sso_providers (organization_id, id),
      check (provider_id is null or verified_at is not null)
    );
    create unique index sso_domains_proved on sso_domains (domain) where verified_at is not null;

    create table sso_identities (
      organization_id bigint not null,
      issuer text not null,
      subject text not null,
      user_id bigint not null,
      created_at timestamptz not null,
      last_used_at timestamptz not null,
      primary key (organization_id, issuer, subject),
      foreign key (organization_id, user_id) references users (organization_id, id)
    );
    create index sso_identities_of_user on sso_identities (organization_id, user_id);

    create table sso_sign_ins (
      state_hash bytea primary key,
      browser_hash bytea not null,
      organization_id bigint not null,
      provider_id bigint not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      returned_at timestamptz,
      user_id bigint,
      second_factor boolean,
      code_hash bytea unique,
      code_expires_at timestamptz,
      exchanged_at timestamptz,
      session_id bigint,
      foreign key (organization_id, provider_id) references sso_providers (organization_id, id),
      foreign key (organization_id, user_id) references users (organization_id, id)
    );
    create index sso_sign_ins_by_age on sso_sign_ins (created_at);

    alter table users add column sso_exempt_until timestamptz;
  `.execute(db)
}
