import { statement } from '../migration-steps.ts'

/**
 * An epoch moves every sequence, not only those of events: custody agents, banking partners, blockchains and callers keep
 * ids of actions, wallets, accounts and transactions, and a database that lost writes would issue them for other objects.
 *
 * Ids of events and deliveries continue at two million for each second since 2026, others at 1,024, those of an integer
 * column at one: above all that were issued at such a rate, also those that this database no longer has. A sequence that
 * is already above (its rate was higher, or the clock is set back) moves by a margin, which also covers ids that others
 * take meanwhile. It reads no table and waits for nobody who inserts.
 */
export const steps = [
  statement(`
    create or replace function begin_epoch(new_place text) returns bigint language plpgsql as $$
    declare
      begun bigint;
      seconds bigint := extract(epoch from clock_timestamp())::bigint - 1767225600;
      events bigint;
      moved record;
    begin
      update database_history set place = new_place, epoch = epoch + 1 returning epoch into begun;
      select greatest(seconds * 2097152, max(latest) + 1048576) into events from (
        select last_position as latest from event_relay
        union all select coalesce(pg_sequence_last_value(pg_get_serial_sequence('outbox', 'id')::regclass), 0)
        union all select coalesce(pg_sequence_last_value(pg_get_serial_sequence('webhook_deliveries', 'id')::regclass), 0)
      ) issued;
      for moved in
        select s.seqrelid::regclass as name, s.seqmax as highest,
          case
            when s.seqrelid in (pg_get_serial_sequence('outbox', 'id')::regclass,
              pg_get_serial_sequence('webhook_deliveries', 'id')::regclass) then events
            when s.seqmax > 2147483647
              then greatest(seconds * 1024, coalesce(pg_sequence_last_value(s.seqrelid), 0) + 1048576)
            else greatest(seconds, coalesce(pg_sequence_last_value(s.seqrelid), 0) + 1024)
          end as base
        from pg_sequence s
          join pg_class c on c.oid = s.seqrelid
          join pg_class h on h.oid = 'database_history'::regclass and h.relnamespace = c.relnamespace
        -- Another program may have sequences of its own in this schema.
        where c.relowner = h.relowner or has_sequence_privilege(c.oid, 'UPDATE')
      loop
        if moved.base < moved.highest then perform setval(moved.name, moved.base); end if;
      end loop;
      update event_relay set last_position = events;
      return begun;
    end $$`),
]
