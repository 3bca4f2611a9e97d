import { type MigrationStep, statement } from '../migration-steps.ts'

/** Columns that say which kind of actor did something. The checks so far have the names that PostgreSQL gave them. */
const ACTORS: readonly (readonly [table: string, column: string, kinds: string])[] = [
  ['audit_log', 'actor_type', "'user', 'key', 'system', 'service_account'"],
  ['unchained_audit_entries', 'actor_type', "'user', 'key', 'system', 'service_account'"],
  ['security_events', 'actor_type', "'user', 'key', 'system', 'service_account'"],
  ['change_requests', 'requested_by_type', "'user', 'key', 'service_account'"],
  ['operations', 'requested_by_type', "'user', 'key', 'system', 'service_account'"],
  ['wallets', 'created_by_type', "'user', 'key', 'system', 'service_account'"],
  ['operational_wallets', 'created_by_type', "'user', 'key', 'system', 'service_account'"],
  ['webhooks', 'created_by_type', "'user', 'key', 'system', 'service_account'"],
]

const admitting = ([table, column, kinds]: (typeof ACTORS)[number]): readonly MigrationStep[] => [
  statement(`
    alter table ${table} drop constraint if exists ${table}_${column}_check,
      drop constraint if exists ${table}_${column}_known,
      add constraint ${table}_${column}_known check (${column} in (${kinds})) not valid
  `),
  statement(`alter table ${table} validate constraint ${table}_${column}_known`),
]

/**
 * Service accounts: what calls core without a person. An account keeps its id when its secret is rotated, so that what it
 * did stays together. An operation names the member whose approval does not count, as change requests do.
 */
export const steps = [
  statement(`
    create table if not exists service_accounts (
      organization_id bigint not null references organizations (id),
      id bigint generated always as identity,
      name text not null,
      role text not null check (role in ('admin', 'viewer')),
      allowed_addresses text[],
      created_at timestamptz not null,
      created_by bigint not null,
      deleted_at timestamptz,
      primary key (organization_id, id),
      foreign key (organization_id, created_by) references users (organization_id, id)
    )
  `),
  statement(`
    create table if not exists service_account_secrets (
      organization_id bigint not null,
      id bigint generated always as identity,
      service_account_id bigint not null,
      secret_hash bytea not null,
      pepper_id text not null,
      preview text not null,
      created_at timestamptz not null,
      created_by bigint not null,
      expires_at timestamptz,
      replaced_at timestamptz,
      last_used_at timestamptz,
      last_used_address text,
      primary key (organization_id, id),
      constraint service_account_secrets_hash_key unique (secret_hash),
      foreign key (organization_id, service_account_id) references service_accounts (organization_id, id),
      foreign key (organization_id, created_by) references users (organization_id, id)
    )
  `),
  statement(`
    create unique index if not exists service_account_secrets_current on service_account_secrets
      (organization_id, service_account_id) where replaced_at is null
  `),
  statement('alter table operations add column if not exists requester_user_id bigint'),
  ...ACTORS.flatMap(admitting),
]
