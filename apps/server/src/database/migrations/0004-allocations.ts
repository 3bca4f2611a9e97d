import { type Kysely, sql } from 'kysely'

/**
 * Positions. `shares` and `posted_price` determine the position's part of the ledger's `deployed` account; yield since
 * then is shares times the change of price (rule 6).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table allocations (
      organization_id bigint not null,
      id bigint generated always as identity unique,
      wallet_id bigint not null,
      strategy_id bigint not null references strategies (id),
      status text not null check (status in ('ACTIVE', 'UNWINDING', 'CLOSED')),
      shares numeric(78, 0) not null check (shares >= 0),
      principal numeric(78, 0) not null check (principal >= 0),
      posted_value numeric(78, 0) not null check (posted_value >= 0),
      posted_price numeric(78, 0) not null,
      posted_at timestamptz not null,
      realized_yield numeric(78, 0) not null default 0,
      opened_at timestamptz not null,
      updated_at timestamptz not null,
      closed_at timestamptz,
      primary key (organization_id, id),
      foreign key (organization_id, wallet_id) references wallets (organization_id, id)
    );
    create unique index allocations_open on allocations (organization_id, wallet_id, strategy_id) where status <> 'CLOSED';
    create index allocations_of_strategy on allocations (strategy_id) where status <> 'CLOSED';

    create table yield_snapshots (
      organization_id bigint not null,
      allocation_id bigint not null,
      day date not null,
      value numeric(78, 0) not null,
      principal numeric(78, 0) not null,
      yield numeric(78, 0) not null,
      cumulative_yield numeric(78, 0) not null,
      primary key (organization_id, allocation_id, day),
      foreign key (organization_id, allocation_id) references allocations (organization_id, id)
    );
  `.execute(db)
}
