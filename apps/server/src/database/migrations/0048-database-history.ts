import { type Kysely, sql } from 'kysely'

/**
 * Where this database is in time: its place (cluster and timeline), an epoch that each new place begins, and a beat that
 * processes remember. Ids of events, deliveries and positions begin a new range with each epoch, because a restored
 * database would issue the lost ones again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table database_history (
      id boolean primary key default true check (id),
      place text,
      epoch bigint not null default 0,
      beat bigint not null default 0,
      lost_at timestamptz
    );
    insert into database_history default values;

    -- Begins a new epoch. Ids of events continue at two million for each second since 2026: above all that were issued
    -- before, also those that this database no longer has, and below 2^53 until the year 2162.
    create function begin_epoch(new_place text) returns bigint language plpgsql as $$
    declare
      begun bigint;
      base bigint := (extract(epoch from clock_timestamp())::bigint - 1767225600) * 2097152;
    begin
      update database_history set place = new_place, epoch = epoch + 1 returning epoch into begun;
      select greatest(base, (select max(id) from outbox), (select max(id) from webhook_deliveries),
        (select max(last_position) from event_relay)) into base;
      perform setval(pg_get_serial_sequence('outbox', 'id'), base),
        setval(pg_get_serial_sequence('webhook_deliveries', 'id'), base);
      update event_relay set last_position = base;
      return begun;
    end $$;

    -- Records the place of a session's server. Returns the epoch that it begins, and null where nothing changed.
    create function note_place(seen text) returns bigint language plpgsql as $$
    declare
      known text;
    begin
      select place into known from database_history;
      if known = seen then return null; end if;
      select place into known from database_history for update;
      if known is null then
        update database_history set place = seen;
      elsif known <> seen then
        return begin_epoch(seen);
      end if;
      return null;
    end $$;

    -- The beat was issued before: acknowledged writes are gone. Begins an epoch, once for all processes that notice.
    create function note_loss(remembered bigint, at timestamptz) returns bigint language plpgsql as $$
    declare
      here text;
    begin
      select place into here from database_history where beat <= remembered for update;
      if not found then return null; end if;
      update database_history set beat = remembered + 1, lost_at = at;
      return begin_epoch(here);
    end $$;
  `.execute(db)
}
