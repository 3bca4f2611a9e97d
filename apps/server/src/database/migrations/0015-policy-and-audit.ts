import { type Kysely, sql } from 'kysely'

/**
 * Approval policies, in every version that was ever active, and the audit log. Neither is ever rewritten: the newest
 * version of a policy is the active one, and each log entry is chained to the previous one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function only_grows() returns trigger language plpgsql as $$
    begin
      raise exception '% only grows: its rows are neither changed nor removed', tg_table_name;
    end $$;

    create table approval_policies (
      organization_id bigint not null references organizations (id),
      version integer not null check (version > 0),
      policy jsonb not null,
      changed_by bigint not null,
      created_at timestamptz not null,
      primary key (organization_id, version),
      foreign key (organization_id, changed_by) references users (organization_id, id)
    );
    create trigger approval_policies_only_grow before update or delete on approval_policies
      for each row execute function only_grows();
    create trigger approval_policies_are_not_truncated before truncate on approval_policies
      for each statement execute function only_grows();

    -- The end of each organization's chain: writers take turns on its row, and a log that was cut off misses it.
    create table audit_heads (
      organization_id bigint primary key references organizations (id),
      entries bigint not null default 0,
      hash bytea not null default '\\x0000000000000000000000000000000000000000000000000000000000000000'
    );

    create table audit_log (
      -- Not of organizations: whoever deletes one would meet whoever writes here in a deadlock.
      organization_id bigint not null references audit_heads (organization_id),
      -- Without gaps in an organization: 1, 2, 3.
      id bigint not null check (id > 0),
      at timestamptz not null,
      actor_type text not null check (actor_type in ('user', 'key', 'system')),
      actor_id bigint,
      action text not null,
      object_type text not null,
      object_id bigint,
      -- The network address that the request came from; null: the service itself.
      came_from text,
      -- JSON as text, because the hash covers its very bytes.
      details text,
      previous_hash bytea not null,
      hash bytea not null,
      primary key (organization_id, id)
    );
    create index audit_log_by_action on audit_log (organization_id, action, id);
    create index audit_log_by_object on audit_log (organization_id, object_type, object_id, id);
    create index audit_log_by_actor on audit_log (organization_id, actor_type, actor_id, id);
    create index audit_log_by_time on audit_log (organization_id, at, id);
    create trigger audit_log_only_grows before update or delete on audit_log
      for each row execute function only_grows();
    create trigger audit_log_is_not_truncated before truncate on audit_log
      for each statement execute function only_grows();

    create function audit_head_moves_on() returns trigger language plpgsql as $$
    begin
      if new.organization_id <> old.organization_id or new.entries <> old.entries + 1 then
        raise exception 'the head of an audit log moves on by one entry at a time';
      end if;
      return new;
    end $$;
    create trigger audit_heads_move_on before update on audit_heads
      for each row execute function audit_head_moves_on();
    create trigger audit_heads_stay before delete on audit_heads
      for each row execute function only_grows();
    create trigger audit_heads_are_not_truncated before truncate on audit_heads
      for each statement execute function only_grows();

    create function open_audit_log() returns trigger language plpgsql as $$
    begin
      insert into audit_heads (organization_id) values (new.id);
      return null;
    end $$;
    create trigger organizations_have_an_audit_log after insert on organizations
      for each row execute function open_audit_log();
    insert into audit_heads (organization_id) select id from organizations;
  `.execute(db)
}
