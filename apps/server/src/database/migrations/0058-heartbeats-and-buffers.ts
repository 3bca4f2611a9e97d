import { type Kysely, sql } from 'kysely'

/**
 * What operators watch: when the agent of a key last polled, and since when a wallet has been below its buffer. Both
 * indexes are partial, so that metrics read only rows that say something.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table api_keys add column last_polled_at timestamptz;
    create index api_keys_polled on api_keys (last_polled_at) where last_polled_at is not null;
    alter table operational_wallets add column short_since timestamptz;
    create index operational_wallets_short on operational_wallets (short_since) where short_since is not null;
  `.execute(db)
}
