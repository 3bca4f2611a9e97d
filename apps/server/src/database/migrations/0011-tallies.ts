import { type Kysely, sql } from 'kysely'

/**
 * Maintained counts of operations and wallets: `total` of a list stays exact, and costs the same at a thousand and at a
 * million. Each change adds a row, so that writers never wait for a shared counter; a job compacts the rows.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table tallies (
      organization_id bigint not null,
      wallet_profile_id bigint not null,
      counted text not null check (counted in ('operations', 'wallets')),
      -- An operation's type, a wallet's blockchain.
      kind text not null,
      -- An operation's state; empty for wallets.
      state text not null,
      amount bigint not null
    );
    create index tallies_of on tallies (organization_id, counted, wallet_profile_id, kind, state) include (amount);

    create function tally_operation() returns trigger language plpgsql as $$
    begin
      insert into tallies (organization_id, wallet_profile_id, counted, kind, state, amount)
      select w.organization_id, w.wallet_profile_id, 'operations', c.type, c.state, c.amount
      from (
        select new.organization_id, new.wallet_id, new.type, new.state, 1 as amount where tg_op <> 'DELETE'
        union all
        select old.organization_id, old.wallet_id, old.type, old.state, -1 where tg_op <> 'INSERT'
      ) c join wallets w on w.organization_id = c.organization_id and w.id = c.wallet_id;
      return null;
    end $$;
    create trigger operations_are_tallied after insert or delete on operations
      for each row execute function tally_operation();
    create trigger operations_move_in_tallies after update on operations for each row
      when ((old.organization_id, old.wallet_id, old.type, old.state)
        is distinct from (new.organization_id, new.wallet_id, new.type, new.state))
      execute function tally_operation();

    create function tally_wallet() returns trigger language plpgsql as $$
    begin
      insert into tallies (organization_id, wallet_profile_id, counted, kind, state, amount)
      select c.organization_id, c.wallet_profile_id, 'wallets', c.blockchain, '', c.amount
      from (
        select new.organization_id, new.wallet_profile_id, new.blockchain, 1 as amount where tg_op <> 'DELETE'
        union all
        select old.organization_id, old.wallet_profile_id, old.blockchain, -1 where tg_op <> 'INSERT'
      ) c;
      return null;
    end $$;
    create trigger wallets_are_tallied after insert or delete on wallets
      for each row execute function tally_wallet();

    -- A wallet's operations are tallied under its profile.
    create function tallied_stay() returns trigger language plpgsql as $$
    begin
      raise exception 'what is tallied keeps its place';
    end $$;
    create trigger wallets_keep_their_place before update on wallets for each row
      when ((old.organization_id, old.wallet_profile_id, old.blockchain)
        is distinct from (new.organization_id, new.wallet_profile_id, new.blockchain))
      execute function tallied_stay();
    create trigger wallets_are_not_truncated before truncate on wallets
      for each statement execute function tallied_stay();
    create trigger operations_are_not_truncated before truncate on operations
      for each statement execute function tallied_stay();

    insert into tallies (organization_id, wallet_profile_id, counted, kind, state, amount)
    select o.organization_id, w.wallet_profile_id, 'operations', o.type, o.state, count(*)
    from operations o join wallets w on w.organization_id = o.organization_id and w.id = o.wallet_id
    group by o.organization_id, w.wallet_profile_id, o.type, o.state;
    insert into tallies (organization_id, wallet_profile_id, counted, kind, state, amount)
    select organization_id, wallet_profile_id, 'wallets', blockchain, '', count(*)
    from wallets group by organization_id, wallet_profile_id, blockchain;

    -- A page by status begins where its operations are, however many others lie between them.
    create index operations_open on operations (organization_id, id)
      where state in ('PLANNING', 'PENDING_APPROVAL', 'EXECUTING', 'CONFIRMING');
    create index operations_completed on operations (organization_id, id) where state = 'COMPLETED';
    create index operations_failed on operations (organization_id, id) where state in ('FAILED', 'REJECTED', 'ABORTED');
  `.execute(db)
}
