import { type Kysely, sql } from 'kysely'

/** Events, written together with their state change; and the stored responses for repeated requests. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table outbox (
      organization_id bigint not null,
      id bigint generated always as identity unique,
      event text not null,
      object_type text not null,
      object_id bigint not null,
      data jsonb not null,
      created_at timestamptz not null,
      relayed_at timestamptz,
      primary key (organization_id, id)
    );
    create index outbox_waiting on outbox (id) where relayed_at is null;

    create table idempotency_keys (
      organization_id bigint not null,
      key text not null,
      method text not null,
      path text not null,
      body_hash bytea not null,
      claim text not null,
      claimed_until timestamptz not null,
      response_status integer,
      response_body text,
      created_at timestamptz not null,
      primary key (organization_id, key)
    );
    create index idempotency_keys_by_age on idempotency_keys (created_at);

    create table treasury_sends (
      id bigint generated always as identity primary key,
      organization_id bigint not null,
      blockchain text not null,
      sender text not null,
      nonce bigint not null,
      purpose text not null,
      recipient text not null,
      token_address text,
      amount numeric(78, 0) not null,
      raw text not null,
      tx_hash text not null unique,
      state text not null check (state in ('stored', 'included', 'failed')),
      block_number bigint,
      created_at timestamptz not null,
      unique (blockchain, sender, nonce)
    );
    create index treasury_sends_waiting on treasury_sends (blockchain) where state = 'stored';
    create index treasury_sends_to on treasury_sends (blockchain, recipient);
  `.execute(db)
}
