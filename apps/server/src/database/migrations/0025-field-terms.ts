import { type Kysely, sql } from 'kysely'

/**
 * Renames tables and columns to the terms that the code and the documents use. The statements of an older process fail
 * from here on, so every older process must be stopped first; 0.1.0 is the first version that others can rely on.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table wallets_set_aside rename to quarantined_wallets;
    alter index wallets_set_aside_due rename to quarantined_wallets_due;
    alter table set_aside_blocks rename to quarantined_blocks;
    alter table ramp_bridge_ignored rename to ramp_bridge_ignored_events;

    alter table transactions rename column watched to can_still_land;
    alter index transactions_watched rename to transactions_that_can_land;
    alter table transactions rename column seen_at to last_seen_at;
    alter table operations rename column flagged to flag_reason;
    alter table agent_work rename column handed_out_at to issued_at;
    alter table agent_work rename column paused_because to pause_reason;
    alter table agent_work rename column refused_count to failed_check_count;
    alter table agent_work rename column first_refused_at to first_failed_check_at;
    alter table chain_nonces rename column seen_count to latest_count;
    alter table wallets rename column compared_block to reconciled_block;
    alter index wallets_to_compare rename to wallets_to_reconcile;
    alter table operational_wallets rename column consider_at to due_at;
    alter table operational_wallets rename column rebalance_note to last_evaluation;
    alter table audit_log rename column came_from to ip_address;
    alter table webhooks rename column wake_at to due_at;
    alter table webhooks rename column disabled_because to disable_reason;
    alter table webhook_deliveries rename column tries to attempt_count;
    alter table ramp_accounts rename column account_number_end to account_number_last4;
    alter table ramp_deposits rename column seen_at to detected_at;
    alter table ramp_bridge_intents rename column held_until to leased_until;
    alter table ramp_bridge_intents rename column key_made_at to key_created_at;

    alter table tallies rename to counters;
    alter table counters rename column counted to entity;
    alter index tallies_of rename to counters_by_entity;
    alter table counters rename constraint tallies_counted_check to counters_entity_check;

    alter function tally_operation() rename to count_operation;
    create or replace function count_operation() returns trigger language plpgsql as $$
    begin
      insert into counters (organization_id, wallet_profile_id, entity, kind, state, amount)
      select c.organization_id, c.wallet_profile_id, 'operations', c.type, c.state, c.amount
      from (
        select new.organization_id, new.wallet_profile_id, new.type, new.state, 1 as amount where tg_op <> 'DELETE'
        union all
        select old.organization_id, old.wallet_profile_id, old.type, old.state, -1 where tg_op <> 'INSERT'
      ) c;
      return null;
    end $$;
    alter trigger operations_are_tallied on operations rename to operations_are_counted;
    alter trigger operations_move_in_tallies on operations rename to operations_move_between_counters;

    alter function tally_wallet() rename to count_wallet;
    create or replace function count_wallet() returns trigger language plpgsql as $$
    begin
      insert into counters (organization_id, wallet_profile_id, entity, kind, state, amount)
      select c.organization_id, c.wallet_profile_id, 'wallets', c.blockchain, '', c.amount
      from (
        select new.organization_id, new.wallet_profile_id, new.blockchain, 1 as amount where tg_op <> 'DELETE'
        union all
        select old.organization_id, old.wallet_profile_id, old.blockchain, -1 where tg_op <> 'INSERT'
      ) c;
      return null;
    end $$;
    alter trigger wallets_are_tallied on wallets rename to wallets_are_counted;

    alter function tally_allocation() rename to count_allocation;
    create or replace function count_allocation() returns trigger language plpgsql as $$
    begin
      insert into counters (organization_id, wallet_profile_id, entity, kind, state, amount)
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
    alter trigger allocations_are_tallied on allocations rename to allocations_are_counted;
    alter trigger allocations_move_in_tallies on allocations rename to allocations_move_between_counters;

    alter function tallied_stay() rename to counted_rows_stay;
    create or replace function counted_rows_stay() returns trigger language plpgsql as $$
    begin
      raise exception 'a row that is counted cannot change its organization, profile or chain';
    end $$;
  `.execute(db)
}
