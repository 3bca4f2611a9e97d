import { type Kysely, sql } from 'kysely'

/**
 * Operational wallets: one token of one wallet (contract 1). `consider_at` is all that schedules rebalancing: the
 * earliest moment that was requested; the rebalancer clears it after the evaluation.
 *
 * Also what lists and statistics of the core surface need to cost the same at a thousand operations and at a million.
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

    -- History begins where finished operations are, however many wait; and so does each way to end but COMPLETED.
    create index operations_finished on operations (organization_id, id)
      where state in ('COMPLETED', 'FAILED', 'REJECTED', 'ABORTED');
    create index operations_ended_badly on operations (organization_id, state, id)
      where state in ('FAILED', 'REJECTED', 'ABORTED');
    create index allocations_by_status on allocations (organization_id, status, id);
    create index allocations_of_wallet on allocations (organization_id, wallet_id, id);

    -- What came and went past us, among all the yield that was posted.
    create index ledger_entries_external on ledger_entries (organization_id, id) where kind = 'external_balance';

    alter table tallies drop constraint tallies_counted_check,
      add constraint tallies_counted_check check (counted in ('operations', 'wallets', 'allocations'));
    -- Of allocations, kind is the token's symbol and state their status.
    create function tally_allocation() returns trigger language plpgsql as $$
    begin
      insert into tallies (organization_id, wallet_profile_id, counted, kind, state, amount)
      select w.organization_id, w.wallet_profile_id, 'allocations', s.token, c.status, c.amount
      from (
        select new.organization_id, new.wallet_id, new.strategy_id, new.status, 1 as amount where tg_op <> 'DELETE'
        union all
        select old.organization_id, old.wallet_id, old.strategy_id, old.status, -1 where tg_op <> 'INSERT'
      ) c
      join wallets w on w.organization_id = c.organization_id and w.id = c.wallet_id
      join strategies s on s.id = c.strategy_id;
      return null;
    end $$;
    create trigger allocations_are_tallied after insert or delete on allocations
      for each row execute function tally_allocation();
    create trigger allocations_move_in_tallies after update on allocations for each row
      when ((old.organization_id, old.wallet_id, old.strategy_id, old.status)
        is distinct from (new.organization_id, new.wallet_id, new.strategy_id, new.status))
      execute function tally_allocation();
    create trigger allocations_are_not_truncated before truncate on allocations
      for each statement execute function tallied_stay();
    insert into tallies (organization_id, wallet_profile_id, counted, kind, state, amount)
    select a.organization_id, w.wallet_profile_id, 'allocations', s.token, a.status, count(*)
    from allocations a
    join wallets w on w.organization_id = a.organization_id and w.id = a.wallet_id
    join strategies s on s.id = a.strategy_id
    group by a.organization_id, w.wallet_profile_id, s.token, a.status;

    -- What completed operations moved and how long they took. Each adds a row; the job that folds tallies folds these.
    create table operation_sums (
      organization_id bigint not null,
      strategy_id bigint not null,
      type text not null,
      completed bigint not null,
      moved numeric(78, 0) not null,
      milliseconds bigint not null
    );
    create index operation_sums_of on operation_sums (organization_id, strategy_id, type);
    create function sum_operation() returns trigger language plpgsql as $$
    begin
      insert into operation_sums (organization_id, strategy_id, type, completed, moved, milliseconds)
      values (new.organization_id, new.strategy_id, new.type, 1, coalesce(new.settled_amount, new.amount, 0),
        greatest(0, round(extract(epoch from coalesce(new.completed_at, new.updated_at) - new.created_at) * 1000)));
      return null;
    end $$;
    create trigger operations_are_summed after insert on operations for each row
      when (new.state = 'COMPLETED') execute function sum_operation();
    create trigger operations_are_summed_when_completed after update on operations for each row
      when (new.state = 'COMPLETED' and old.state <> 'COMPLETED') execute function sum_operation();
    insert into operation_sums (organization_id, strategy_id, type, completed, moved, milliseconds)
    select organization_id, strategy_id, type, count(*), sum(coalesce(settled_amount, amount, 0)),
      sum(greatest(0, round(extract(epoch from coalesce(completed_at, updated_at) - created_at) * 1000)))
    from operations where state = 'COMPLETED' group by organization_id, strategy_id, type;
  `.execute(db)
}
