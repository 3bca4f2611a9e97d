import { statement } from '../migration-steps.ts'

/**
 * A server on an earlier timeline than one that accepted writes lacks those writes. It begins an epoch as well, because
 * stream positions that the later timeline issued are above those that this server would issue next.
 */
export const steps = [
  statement('alter table database_history add column if not exists left_place text'),
  statement(`
    create or replace function note_place(seen text) returns bigint language plpgsql as $$
    declare
      known text;
    begin
      select place into known from database_history;
      if known = seen then return null; end if;
      select place into known from database_history for update;
      if known is null then
        update database_history set place = seen;
      elsif known <> seen then
        update database_history set left_place = null;
        return begin_epoch(seen);
      end if;
      return null;
    end $$`),
  // Begins an epoch once for all processes that come from the same later place, until an operator resets `lost_at`.
  statement(`
    create or replace function note_return(seen text, later_place text) returns bigint language plpgsql as $$
    begin
      update database_history set left_place = later_place, lost_at = clock_timestamp()
        where left_place is distinct from later_place or lost_at is null;
      if not found then return null; end if;
      return begin_epoch(seen);
    end $$`),
]
