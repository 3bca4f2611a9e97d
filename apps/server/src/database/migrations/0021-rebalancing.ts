import { type Kysely, sql } from 'kysely'

/**
 * What the rebalancer remembers of an operational wallet beside its operations: how often in a row it could not even
 * plan, and what it found at its last look. And how much of an organization's money one strategy may hold.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table operational_wallets
      add column rebalance_failures integer not null default 0,
      add column rebalance_note jsonb;

    create table strategy_caps (
      organization_id bigint not null references organizations (id),
      strategy_id bigint not null references strategies (id),
      -- In hundredths of a percent of what the organization holds of the token on the chain, deployed or not.
      share_bps integer not null check (share_bps between 0 and 10000),
      updated_at timestamptz not null,
      primary key (organization_id, strategy_id)
    );
  `.execute(db)
}
