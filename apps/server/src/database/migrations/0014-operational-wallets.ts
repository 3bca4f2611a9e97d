import { type Kysely, sql } from 'kysely'

/**
 * Operational wallets: one token of one wallet, watched over (decisions 1). `consider_at` is all that says that
 * rebalancing is due: the earliest moment that anybody asked for; the rebalancer clears it when it has looked.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table operational_wallets (
      organization_id bigint not null,
      id bigint generated always as identity unique,
      wallet_id bigint not null,
      token_address text not null,
      enable_yield boolean not null,
      buffer_amount numeric(78, 0) not null check (buffer_amount >= 0),
      metadata jsonb,
      consider_at timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      primary key (organization_id, id),
      unique (organization_id, wallet_id, token_address),
      foreign key (organization_id, wallet_id) references wallets (organization_id, id)
    );
    create index operational_wallets_due on operational_wallets (consider_at, id) where consider_at is not null;
  `.execute(db)
}
