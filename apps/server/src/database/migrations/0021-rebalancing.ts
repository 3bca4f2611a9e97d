import { type Kysely, sql } from 'kysely'

/**
 * The rebalancer's state of an operational wallet: how often in a row planning failed, and the result of the last
 * evaluation. And the maximum share of an organization's money in one strategy.
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
