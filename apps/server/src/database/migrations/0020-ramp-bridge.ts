import { type Kysely, sql } from 'kysely'

/**
 * State of the adapter for the banking partner Bridge: objects that it is about to create there, stored before the
 * request, and messages that it received and ignored.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table ramp_bridge_intents (
      id bigint generated always as identity primary key,
      organization_id bigint not null,
      kind text not null check (kind in ('onboarding', 'external_account', 'virtual_account', 'liquidation_address')),
      -- A keyed hash of everything that is asked for: whoever asks for the same again goes on where it was left.
      fingerprint bytea not null,
      -- Names us at the partner for good; the key changes when the partner has forgotten it.
      token uuid not null,
      idempotency_key uuid not null,
      key_made_at timestamptz not null,
      -- Until then somebody is at it.
      held_until timestamptz,
      -- What the partner made of it.
      reference text,
      -- Closed: it was refused, or what was made is in use.
      closed_at timestamptz,
      created_at timestamptz not null
    );
    create index ramp_bridge_intents_open on ramp_bridge_intents (kind, fingerprint) where closed_at is null;

    -- Messages that were proved to be the partner's and change nothing. Sealed: they may name people.
    create table ramp_bridge_ignored (
      event_id text primary key,
      category text not null,
      type text not null,
      object_id text not null,
      reason text not null,
      body bytea not null,
      received_at timestamptz not null
    );
    create index ramp_bridge_ignored_by_time on ramp_bridge_ignored (received_at);
  `.execute(db)
}
