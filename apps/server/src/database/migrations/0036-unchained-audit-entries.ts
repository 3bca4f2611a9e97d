import { type Kysely, sql } from 'kysely'

/**
 * Audit entries that were committed with their effect and wait for their place in the chain. Writers of v1 and agents
 * insert here, because taking turns on the head would make the wallets of an organization wait for each other.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table unchained_audit_entries (
      -- No foreign key: its check would wait for whoever holds the head.
      organization_id bigint not null,
      id bigint generated always as identity,
      at timestamptz not null,
      actor_type text not null check (actor_type in ('user', 'key', 'system')),
      actor_id bigint,
      action text not null,
      object_type text not null,
      object_id bigint,
      ip_address text,
      details text,
      primary key (organization_id, id)
    );
    create trigger unchained_audit_entries_do_not_change before update on unchained_audit_entries
      for each row execute function only_grows();

    -- A head moves on by one entry, or to the last of several that were written before.
    create or replace function audit_head_moves_on() returns trigger language plpgsql as $$
    begin
      if new.organization_id = old.organization_id and (new.entries = old.entries + 1 or
        new.entries > old.entries and exists (select from audit_log written
          where written.organization_id = new.organization_id and written.id = new.entries and written.hash = new.hash))
      then
        return new;
      end if;
      raise exception 'the head of an audit log moves on by one entry at a time, or to the last one written';
    end $$;
  `.execute(db)
}
