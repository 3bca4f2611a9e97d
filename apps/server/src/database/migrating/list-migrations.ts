import { sql } from 'kysely'
import type { Database } from '../handles.ts'
import { sqlStateOf } from '../queries/sql-state.ts'
import { MIGRATION_NAMES, STEPPED_MIGRATIONS } from './migrate.ts'

export interface MigrationState {
  /** Names of this build that the database lacks, in order; of a migration in steps also if some of them are missing. */
  readonly pending: readonly string[]
  /** Names in the database that this build does not know: a newer version migrated it. */
  readonly unknown: readonly string[]
}

/** Compares the migrations of this build with those of the database. Reads only. */
export async function listMigrations(db: Database): Promise<MigrationState> {
  const steps = Map.groupBy(await namesIn(db, 'migration_steps', 'migration'), (name) => name)
  const applied = new Set(await namesIn(db, 'kysely_migration', 'name'))
  for (const [name, { length }] of steps) {
    if (length >= (STEPPED_MIGRATIONS[name]?.length ?? 1)) applied.add(name)
  }
  return {
    pending: MIGRATION_NAMES.filter((name) => !applied.has(name)),
    unknown: [...applied].filter((name) => !MIGRATION_NAMES.includes(name)),
  }
}

/** The values of a column, in order; none if there is no such table. */
async function namesIn(db: Database, table: string, column: string): Promise<string[]> {
  try {
    const { rows } = await sql<{ name: string }>`
      select ${sql.ref(column)} as name from ${sql.table(table)} order by 1
    `.execute(db)
    return rows.map(({ name }) => name)
  } catch (error) {
    if (sqlStateOf(error) === '42P01') return []
    throw error
  }
}
