import { sql } from 'kysely'
import type { Database } from './handles.ts'
import type { BoundStep, PartitionStep } from './migration-steps.ts'
import { sqlStateOf } from './queries/sql-state.ts'

/** Runs `work` in a transaction that waits for locks only shortly, and again later if it did not get them. */
export type LockedWork = (work: (tx: Database) => Promise<void>) => Promise<void>

interface StepParts {
  readonly locked: LockedWork
  /** Records the step in the transaction that it took effect in. */
  readonly record: (on: Database) => Promise<void>
}

/**
 * Adds a validated constraint `TABLE_before_YYYY_MM` that no existing row reaches. From then on the table refuses later
 * rows, until it is a partition. So a month lies between today and the bound: a process of the previous version continues
 * where this migration is interrupted for weeks.
 */
export async function boundRows(
  connection: Database,
  { table, column }: BoundStep,
  { locked, record }: StepParts,
): Promise<void> {
  if (await isPartitioned(connection, table)) return await record(connection)
  for (;;) {
    if ((await findBound(connection, table)) === undefined) {
      const bound = await boundAfterRows(connection, table, column)
      const name = nameBefore(table, bound)
      await locked(async (tx) => {
        const text = `alter table ${table} add constraint ${name} check (${column} < '${bound}') not valid`
        await sql.raw(text).execute(tx)
      })
    }
    const { name } = (await findBound(connection, table))!
    try {
      // It reads the whole table, and holds up neither reads nor writes meanwhile.
      return await locked(async (tx) => {
        await sql.raw(`alter table ${table} validate constraint ${name}`).execute(tx)
        await record(tx)
      })
    } catch (error) {
      if (sqlStateOf(error) !== '23514') throw error
      // A row of a later month arrived after its newest one was read: a chain of the sandbox travelled in time.
      await locked(async (tx) => {
        await sql.raw(`alter table ${table} drop constraint ${name}`).execute(tx)
      })
    }
  }
}

/**
 * Puts a partitioned table in the place of `table`, with its keys, references and grants. The rows so far are its first
 * partition, and a default partition takes every row that has no month yet. Nothing reads a row: the constraint of the
 * step before proves where the first partition ends, and its indexes and references become those of the new table.
 */
export async function partitionTable({ table, column }: PartitionStep, { locked, record }: StepParts): Promise<void> {
  await locked(async (tx) => {
    if (await isPartitioned(tx, table)) return await record(tx)
    const { name, bound } = (await findBound(tx, table))!
    await lockReferenced(tx, table)
    const run = (text: string) => sql.raw(text).execute(tx)
    await run(`lock table ${table} in access exclusive mode`)
    await refuseUnknownParts(tx, table)
    const constraints = await constraintsOf(tx, table)
    const grants = await grantsOf(tx, table)
    await run(`alter table ${table} rename to ${name}`)
    // The names of keys are names of indexes, which are unique; the new table has those that are known.
    for (const key of constraints.filter(({ type }) => type !== 'f'))
      await run(`alter table ${name} rename constraint ${key.name} to ${key.name.replace(table, name)}`)
    await run(`create table ${table} (${columnsLike(name)}) partition by range (${column})`)
    for (const one of constraints) await run(`alter table ${table} add constraint ${one.name} ${one.definition}`)
    for (const grant of grants) await run(grant)
    await run(`alter table ${table} attach partition ${name} for values from (minvalue) to ('${bound}')`)
    await run(`alter table ${name} drop constraint ${name}`)
    await run(`create table ${defaultOf(table)} partition of ${table} default`)
    await record(tx)
  })
}

/** What a table has in common with its partitions, without keys and checks. */
export const columnsLike = (table: string): string =>
  `like ${table} including defaults including generated including identity including storage including compression`

export const defaultOf = (table: string): string => `${table}_default`

/**
 * Attaching a partition locks the tables that it references. All writers of them and of this one lock them first, so a
 * change of the partitions does so too: otherwise each would wait for the other.
 */
export async function lockReferenced(tx: Database, table: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select distinct confrelid::regclass::text as name from pg_constraint
    where contype = 'f' and conrelid = to_regclass(${table}) order by 1
  `.execute(tx)
  for (const { name } of rows) await sql.raw(`lock table ${name} in share row exclusive mode`).execute(tx)
}

async function isPartitioned(db: Database, table: string): Promise<boolean> {
  const { rows } = await sql`
    select from pg_class where oid = to_regclass(${table}) and relkind = 'p'
  `.execute(db)
  return rows.length > 0
}

const nameBefore = (table: string, bound: string) => `${table}_before_${bound.slice(0, -3).replace('-', '_')}`

/** The first day that no row reaches before the month after next, by the clock of the database or the newest row. */
async function boundAfterRows(db: Database, table: string, column: string): Promise<string> {
  const { rows } = await sql<{ bound: string }>`
    select (date_trunc('month', greatest(current_date, max(${sql.ref(column)}))) + interval '2 months')::date as bound
    from ${sql.table(table)}
  `.execute(db)
  return rows[0]!.bound
}

/** The bound that the first step set, by the name of its constraint. */
async function findBound(db: Database, table: string): Promise<{ name: string; bound: string } | undefined> {
  const { rows } = await sql<{ name: string }>`
    select conname as name from pg_constraint
    where contype = 'c' and conrelid = to_regclass(${table}) and starts_with(conname, ${`${table}_before_`})
  `.execute(db)
  const name = rows[0]?.name
  return name === undefined ? undefined : { name, bound: `${name.slice(-7).replace('_', '-')}-01` }
}

interface Constraint {
  readonly name: string
  readonly type: 'p' | 'u' | 'f'
  readonly definition: string
}

async function constraintsOf(tx: Database, table: string): Promise<Constraint[]> {
  const { rows } = await sql<Constraint>`
    select conname as name, contype as type, pg_get_constraintdef(oid) as definition from pg_constraint
    where conrelid = to_regclass(${table}) and contype in ('p', 'u', 'f') order by conname
  `.execute(tx)
  return rows
}

/** Roles that may read the table keep that right: a grant belongs to the table, not to its name. */
async function grantsOf(tx: Database, table: string): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    select format('grant %s on ${sql.raw(table)} to %s%s', a.privilege_type, coalesce(quote_ident(r.rolname), 'public'),
      case when a.is_grantable then ' with grant option' end) as text
    from pg_class c cross join aclexplode(c.relacl) a left join pg_roles r on r.oid = a.grantee
    where c.oid = to_regclass(${table}) and a.grantee <> c.relowner
  `.execute(tx)
  return rows.map(({ text }) => text)
}

/** What would be lost: indexes beside the keys, triggers, and tables that refer to this one. */
async function refuseUnknownParts(tx: Database, table: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select i.indexrelid::regclass::text as name from pg_index i
    where i.indrelid = to_regclass(${table}) and not exists (select from pg_constraint c where c.conindid = i.indexrelid)
    union all
    select tgname from pg_trigger where tgrelid = to_regclass(${table}) and not tgisinternal
    union all
    select conname from pg_constraint where contype = 'f' and confrelid = to_regclass(${table})
  `.execute(tx)
  if (rows.length > 0) throw new Error(`partitioning ${table} would lose ${rows.map(({ name }) => name).join(', ')}`)
}
