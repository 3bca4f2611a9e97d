import { sql } from 'kysely'
import pg from 'pg'
import type { Database } from '../../src/database/index.ts'

/** Reports the rows that committed transactions changed: proves that a refused request changed nothing. */
export interface ChangeTracker {
  /** Rows changed since the last call, as `UPDATE wallets {...}`; at most a few. */
  drain(): Promise<string[]>
}

/**
 * Tables that a refused request may change: the response stored for a replay, and the count of wrong passwords. A key's
 * last use is recorded for every request.
 */
const MAY_CHANGE = ['idempotency_keys', 'login_attempts', 'login_account_attempts']
const MAY_DIFFER = ['last_used_at', 'last_used_address', 'last_polled_at']

/** Triggers on every table record each changed row in the same transaction, so rollbacks leave no record. */
export async function trackChanges(db: Database): Promise<ChangeTracker> {
  await sql`
    create schema watched;
    create table watched.changes (id bigint generated always as identity primary key, how text not null, row jsonb);
    create function watched.note() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' and to_jsonb(new) - tg_argv = to_jsonb(old) - tg_argv then return null; end if;
      insert into watched.changes (how, row) values (tg_op || ' ' || tg_table_name, to_jsonb(coalesce(new, old)));
      return null;
    end $$;
  `.execute(db)
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename <> all(${MAY_CHANGE}::text[])
      and not (select relispartition from pg_class where oid = tablename::regclass)
  `.execute(db)
  for (const { name } of rows) {
    const ignored = sql.join(MAY_DIFFER.map((column) => sql.lit(column)))
    await sql`
      create trigger watched after insert or update or delete on ${sql.table(name)}
      for each row execute function watched.note(${ignored})
    `.execute(db)
  }
  const wasWritten = watchStatements()
  let seen = 0
  return {
    async drain() {
      if (!wasWritten()) return []
      const found = await sql<{ id: number; how: string; row: unknown }>`
        select id, how, row from watched.changes where id > ${seen} order by id desc limit 5
      `.execute(db)
      seen = found.rows[0]?.id ?? seen
      return found.rows.map(({ how, row }) => `${how} ${JSON.stringify(row)}`).reverse()
    },
  }
}

/**
 * Whether anything but reads was sent to PostgreSQL since the last call. Most requests only read; querying the changes
 * after each of them would take as long as the request.
 */
function watchStatements(): () => boolean {
  const query = pg.Client.prototype.query
  let written = true
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const statement = args[0] as string | { text?: string }
    const text = typeof statement === 'string' ? statement : (statement.text ?? '')
    written ||= /\b(?:insert|update|delete|merge|call|do)\b/i.test(text)
    return Reflect.apply(query, this, args)
  } as pg.Client['query']
  return () => {
    const was = written
    written = false
    return was
  }
}
