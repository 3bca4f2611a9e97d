import { type Kysely, sql } from 'kysely'

/** TVL and liquidity of each day next to its price: the past of a pool is a fact about its risk. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table strategy_prices
      -- Base units; null: read before these columns existed.
      add column tvl numeric check (tvl >= 0),
      add column liquidity numeric check (liquidity >= 0);
  `.execute(db)
}
