import { sql } from 'kysely'
import type { Database } from '../handles.ts'
import { sqlStateOf } from '../queries/sql-state.ts'
import { NEWEST_IN_ONE, STEPPED_MIGRATIONS } from './migrate.ts'
import { areStepsApplied } from './run-migration-steps.ts'

/** Whether the migrations of this build were applied, in two cheap statements; for `GET /ready`. */
export async function migrationsApplied(db: Database): Promise<boolean> {
  try {
    const { rows } = await sql`select from kysely_migration where name = ${NEWEST_IN_ONE}`.execute(db)
    return rows.length > 0 && (await areStepsApplied(db, STEPPED_MIGRATIONS))
  } catch (error) {
    if (sqlStateOf(error) === '42P01') return false
    throw error
  }
}
