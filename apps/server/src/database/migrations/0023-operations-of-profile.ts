import { type Kysely, sql } from 'kysely'

/**
 * An operation stores its wallet's profile, so that a list for a key of one profile starts at that profile's
 * operations, however many others lie in between. The profile of a wallet never changes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- In the order of whoever plans, who holds a wallet and then writes an operation: otherwise the two deadlock.
    lock table wallets, operations in access exclusive mode;
    alter table operations add column wallet_profile_id bigint;
    update operations o set wallet_profile_id = w.wallet_profile_id
      from wallets w where w.organization_id = o.organization_id and w.id = o.wallet_id;

    -- Filled here and not by who inserts: an older process beside this one does not know the column.
    create function operation_takes_profile() returns trigger language plpgsql as $$
    begin
      select wallet_profile_id into new.wallet_profile_id from wallets
        where organization_id = new.organization_id and id = new.wallet_id;
      return new;
    end $$;
    create trigger operations_take_their_profile before insert on operations
      for each row when (new.wallet_profile_id is null) execute function operation_takes_profile();
    -- Also where tables are filled with triggers switched off.
    alter table operations enable always trigger operations_take_their_profile;
    alter table operations alter column wallet_profile_id set not null;

    drop index wallets_of_profile;
    create unique index wallets_of_profile on wallets (organization_id, wallet_profile_id, id);
    alter table operations drop constraint operations_organization_id_wallet_id_fkey,
      add foreign key (organization_id, wallet_profile_id, wallet_id)
      references wallets (organization_id, wallet_profile_id, id);

    create or replace function tally_operation() returns trigger language plpgsql as $$
    begin
      insert into tallies (organization_id, wallet_profile_id, counted, kind, state, amount)
      select c.organization_id, c.wallet_profile_id, 'operations', c.type, c.state, c.amount
      from (
        select new.organization_id, new.wallet_profile_id, new.type, new.state, 1 as amount where tg_op <> 'DELETE'
        union all
        select old.organization_id, old.wallet_profile_id, old.type, old.state, -1 where tg_op <> 'INSERT'
      ) c;
      return null;
    end $$;

    create index operations_of_profile on operations (organization_id, wallet_profile_id, id);
    create index operations_open_of_profile on operations (organization_id, wallet_profile_id, id)
      where state in ('PLANNING', 'PENDING_APPROVAL', 'EXECUTING', 'CONFIRMING');
    create index operations_completed_of_profile on operations (organization_id, wallet_profile_id, id)
      where state = 'COMPLETED';
    create index operations_failed_of_profile on operations (organization_id, wallet_profile_id, id)
      where state in ('FAILED', 'REJECTED', 'ABORTED');
  `.execute(db)
}
