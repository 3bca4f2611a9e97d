import { type Kysely, sql } from 'kysely'

/**
 * Keys turn over, and personal data is sealed by field. Stored hashes name their pepper; the keys that stored values
 * need are registered, so that a start without one of them is refused. Columns in clear stay for older processes: the
 * service empties them as it seals their rows.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table secret_keys (
      kind text not null check (kind in ('encryption', 'pepper')),
      id text not null,
      fingerprint bytea not null,
      registered_at timestamptz not null,
      -- A data key that a key service wrapped, and the service's key that opens it.
      wrapped bytea,
      wrapped_by text,
      is_current boolean not null default false,
      primary key (kind, id),
      check ((wrapped is null) = (wrapped_by is null))
    );
    create table service_secrets (
      name text primary key,
      sealed bytea not null,
      created_at timestamptz not null
    );

    alter table api_keys add column pepper_id text not null default '0';
    alter table refresh_tokens add column pepper_id text not null default '0';

    alter table organizations add column erased_at timestamptz;
    alter table ramp_customers
      add column sealed_name bytea,
      add column sealed_external_id bytea,
      add column external_id_index bytea,
      add column sealed_address bytea,
      add column sealed_kyb_link bytea,
      add column erased_at timestamptz;
    create unique index ramp_customers_external_index on ramp_customers (organization_id, external_id_index)
      where external_id_index is not null;
    create index ramp_customers_unsealed on ramp_customers (id) where sealed_name is null and erased_at is null;
    alter table ramp_accounts
      add column sealed_bank_name bytea,
      add column sealed_routing_number bytea,
      add column sealed_account_holder bytea,
      add column erased_at timestamptz;
    create index ramp_accounts_unsealed on ramp_accounts (id) where sealed_routing_number is null and erased_at is null;
    alter table outbox add column personal bytea;
    alter table idempotency_keys add column sealed_body bytea;
  `.execute(db)
}
