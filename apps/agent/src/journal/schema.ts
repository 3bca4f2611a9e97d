/**
 * The journal is append-only: triggers reject updates and deletes. `ref` is the id of a transaction, an action or a
 * wallet; `mark` is a hash or an address.
 */
export const JOURNAL_SCHEMA = `
  create table if not exists events (
    seq integer primary key,
    at text not null,
    kind text not null,
    ref integer,
    mark text,
    data text not null
  ) strict;
  create index if not exists events_by_ref on events (kind, ref);
  create index if not exists events_by_mark on events (kind, mark);
  create index if not exists events_by_time on events (at);
  create trigger if not exists events_stay before update on events
    begin select raise(abort, 'the journal is append-only'); end;
  create trigger if not exists events_remain before delete on events
    begin select raise(abort, 'the journal is append-only'); end;
`
