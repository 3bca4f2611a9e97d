import type pg from 'pg'

/** By table: its columns that can be written. Partitions count, their parents have no rows of their own. */
const TABLES = `select c.relname as name, (select string_agg(quote_ident(a.attname), ', ' order by a.attnum) from pg_attribute a
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname not like 'kysely%'
  order by c.relname`

const SEQUENCES = `select string_agg(case when last_value is null then format('alter sequence %I restart', sequencename)
    else format('select setval(%L, %s)', quote_ident(sequencename), last_value) end, '; ') as statement
  from pg_sequences where schemaname = 'public'`

/** Copies every row into a schema of its own. The returned function restores it: tables, and where ids continue. */
export async function saveDatabase(reader: pg.Pool): Promise<() => Promise<void>> {
  const { rows: tables } = await reader.query<{ name: string; columns: string }>(TABLES)
  const each = (statement: (name: string, columns: string) => string) =>
    tables.map(({ name, columns }) => statement(`"${name}"`, columns)).join('; ')
  const { rows: sequences } = await reader.query<{ statement: string }>(SEQUENCES)
  await reader.query(
    `create schema if not exists past; ${each(
      (name) => `create unlogged table if not exists past.${name} (like public.${name}); delete from past.${name}`,
    )}; ${each((name, columns) => `insert into past.${name} (${columns}) select ${columns} from public.${name}`)}`,
  )
  return async () => {
    // Replica mode disables triggers, including foreign keys and the ledger's own guard.
    await reader.query(
      `begin; set local session_replication_role = replica; ${each(
        (name, columns) => `delete from public.${name};
        insert into public.${name} (${columns}) overriding system value select ${columns} from past.${name}`,
      )}; ${sequences[0]!.statement}; commit`,
    )
  }
}
