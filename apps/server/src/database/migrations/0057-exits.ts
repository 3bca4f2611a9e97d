import { type Kysely, sql } from 'kysely'

/**
 * Withdrawals that take time: what a wallet requested back from a strategy and has not claimed. The ledger counts it in an
 * account of its own, because it is neither in the wallet nor a position that earns.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table exits (
      organization_id bigint not null,
      id bigint generated always as identity unique,
      wallet_id bigint not null,
      strategy_id bigint not null references strategies (id),
      state text not null check (state in ('pending', 'claimable', 'claimed')),
      -- Base units of the token; both together are its part of the ledger's account exiting.
      pending numeric(78, 0) not null check (pending >= 0),
      claimable numeric(78, 0) not null check (claimable >= 0),
      -- Sums of what was requested, by its value then, and of what was paid out.
      requested numeric(78, 0) not null,
      claimed numeric(78, 0) not null,
      -- Whether a person or a client requested any of it.
      on_request boolean not null,
      -- By the chain's clock, as the protocol states it.
      claimable_at timestamptz,
      read_block bigint not null,
      read_at timestamptz not null,
      opened_at timestamptz not null,
      claimed_at timestamptz,
      updated_at timestamptz not null,
      primary key (organization_id, id),
      foreign key (organization_id, wallet_id) references wallets (organization_id, id),
      check ((state = 'claimed') = (claimed_at is not null)),
      check (state <> 'claimed' or pending + claimable = 0)
    );
    create unique index exits_open on exits (organization_id, wallet_id, strategy_id) where state <> 'claimed';
    create index exits_of_wallet on exits (organization_id, wallet_id, strategy_id, id);
    create index exits_of_strategy on exits (strategy_id) where state <> 'claimed';

    alter table ledger_balances
      add column exiting numeric(78, 0) not null default 0 check (exiting >= 0),
      drop constraint ledger_balances_check,
      add constraint ledger_balances_sum
        check (available + reserved + deployed + exiting + yield + external = 0);
    alter table ledger_postings
      drop constraint ledger_postings_account_check,
      add constraint ledger_postings_account
        check (account in ('available', 'reserved', 'deployed', 'exiting', 'yield', 'external')) not valid;
    alter table transactions
      drop constraint transactions_kind_check,
      add constraint transactions_kind
        check (kind in ('approve_reset', 'approve', 'supply', 'unwind', 'exit_request', 'exit_claim')) not valid;
  `.execute(db)
}
