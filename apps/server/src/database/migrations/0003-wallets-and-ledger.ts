import { type Kysely, sql } from 'kysely'

/** Wallets, and the double-entry ledger of their holdings. Postings are append-only, enforced by a trigger. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table wallets (
      organization_id bigint not null references organizations (id),
      id bigint generated always as identity unique,
      wallet_profile_id bigint not null,
      blockchain text not null,
      address text not null,
      user_id text,
      org_metadata jsonb,
      label text,
      custody_provider text,
      imported_at timestamptz,
      -- The last block at which its balances were compared with the ledger; null asks for a comparison.
      compared_block bigint,
      created_at timestamptz not null,
      primary key (organization_id, id),
      unique (organization_id, blockchain, address),
      foreign key (organization_id, wallet_profile_id) references wallet_profiles (organization_id, id)
    );
    create index wallets_on_chain on wallets (blockchain, address);
    create index wallets_to_compare on wallets (blockchain) where compared_block is null;
    create index wallets_of_user on wallets (organization_id, user_id) where user_id is not null;
    create index wallets_of_profile on wallets (organization_id, wallet_profile_id, id);

    create table ledger_entries (
      organization_id bigint not null,
      id bigint generated always as identity unique,
      kind text not null,
      source text not null,
      operation_id bigint,
      block_number bigint,
      created_at timestamptz not null,
      primary key (organization_id, id),
      unique (organization_id, source)
    );

    create table ledger_postings (
      organization_id bigint not null,
      entry_id bigint not null,
      wallet_id bigint not null,
      token_address text not null,
      account text not null check (account in ('available', 'reserved', 'deployed', 'yield', 'external')),
      amount numeric(78, 0) not null check (amount <> 0),
      primary key (organization_id, entry_id, wallet_id, token_address, account),
      foreign key (organization_id, entry_id) references ledger_entries (organization_id, id),
      foreign key (organization_id, wallet_id) references wallets (organization_id, id)
    );
    create index ledger_postings_of_wallet on ledger_postings (organization_id, wallet_id, token_address);

    create function ledger_is_append_only() returns trigger language plpgsql as $$
    begin
      raise exception 'the ledger is append-only';
    end $$;
    create trigger ledger_entries_append_only before update or delete or truncate on ledger_entries
      for each statement execute function ledger_is_append_only();
    create trigger ledger_postings_append_only before update or delete or truncate on ledger_postings
      for each statement execute function ledger_is_append_only();

    create table ledger_balances (
      organization_id bigint not null,
      wallet_id bigint not null,
      token_address text not null,
      available numeric(78, 0) not null default 0 check (available >= 0),
      reserved numeric(78, 0) not null default 0 check (reserved >= 0),
      deployed numeric(78, 0) not null default 0 check (deployed >= 0),
      yield numeric(78, 0) not null default 0,
      external numeric(78, 0) not null default 0,
      primary key (organization_id, wallet_id, token_address),
      foreign key (organization_id, wallet_id) references wallets (organization_id, id),
      check (available + reserved + deployed + yield + external = 0)
    );

    create table ledger_breaks (
      organization_id bigint not null,
      id bigint generated always as identity unique,
      wallet_id bigint not null,
      token_address text not null,
      amount numeric(78, 0) not null,
      reason text not null,
      block_number bigint,
      opened_at timestamptz not null,
      closed_at timestamptz,
      primary key (organization_id, id)
    );
    create unique index ledger_breaks_open on ledger_breaks (organization_id, wallet_id, token_address, reason) where closed_at is null;
  `.execute(db)
}
