import { type Kysely, sql } from 'kysely'

/** Chain data, which belongs to no organization: cursors, nonces, and the catalogue with its rates. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table chain_cursors (
      blockchain text primary key,
      genesis_hash text not null,
      final_number bigint not null,
      final_hash text not null,
      final_time timestamptz not null,
      head_number bigint not null,
      head_hash text not null,
      updated_at timestamptz not null
    );

    create table chain_nonces (
      blockchain text not null,
      address text not null,
      -- The highest transaction count that a node has shown; a lower one later is a lagging node (rule 3).
      seen_count bigint not null,
      primary key (blockchain, address)
    );

    create table venues (
      id bigint generated always as identity primary key,
      key text not null unique,
      name text not null,
      protocol text not null,
      blockchain text not null,
      icon_url text,
      status text not null check (status in ('active', 'paused', 'deprecated'))
    );

    create table strategies (
      id bigint generated always as identity primary key,
      venue_id bigint not null references venues (id),
      key text not null unique,
      name text not null,
      protocol text not null,
      blockchain text not null,
      token text not null,
      token_address text not null,
      token_decimals integer not null,
      min_deposit numeric(78, 0),
      max_deposit numeric(78, 0),
      status text not null check (status in ('active', 'paused', 'deprecated')),
      supports_gas_sponsorship boolean not null default false,
      params jsonb not null,
      apy double precision not null default 0,
      tvl numeric(78, 0),
      liquidity numeric(78, 0),
      price numeric(78, 0),
      price_block bigint,
      price_at timestamptz,
      rates_at timestamptz
    );
    create index strategies_by_venue on strategies (venue_id);
  `.execute(db)
}
