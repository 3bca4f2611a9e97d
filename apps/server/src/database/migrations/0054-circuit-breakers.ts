import { type Kysely, sql } from 'kysely'

/**
 * Circuit breakers of organizations, and the two facts that they rest on and nobody stored yet: the price of a token, and
 * the code of a strategy's contracts.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table token_prices (
      blockchain text not null,
      token_address text not null,
      -- 1e-8 US dollars.
      price numeric not null check (price > 0),
      -- When the feed updated it, by the clock of its chain.
      priced_at timestamptz not null,
      read_at timestamptz not null,
      primary key (blockchain, token_address)
    );
    create table strategy_code (
      strategy_id bigint primary key references strategies (id),
      -- Of all contracts together: another one means that some code was replaced.
      fingerprint text not null,
      contracts jsonb not null,
      changed_at timestamptz not null,
      read_at timestamptz not null
    );
    create table breaker_settings (
      organization_id bigint primary key references organizations (id),
      settings jsonb not null,
      updated_at timestamptz not null
    );
    create table circuit_breakers (
      organization_id bigint not null references organizations (id),
      strategy_id bigint not null references strategies (id),
      kind text not null check (kind in ('price_fall', 'depeg', 'illiquidity', 'upgrade')),
      state text not null check (state in ('closed', 'open', 'recovering', 'accepted')),
      -- Hundredths of a percent; null where there is nothing to measure.
      measure integer,
      -- The measure, or the fingerprint of the code, that somebody accepted or that was there at first.
      accepted_measure integer,
      accepted_code text,
      opened_at timestamptz,
      fine_since timestamptz,
      updated_at timestamptz not null,
      primary key (organization_id, strategy_id, kind)
    );
  `.execute(db)
}
