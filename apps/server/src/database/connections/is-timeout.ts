import { sqlStateOf } from '../queries/sql-state.ts'

/** A statement that was canceled (`statement_timeout`), or a lock that another transaction kept for too long. */
const TIMEOUT_SQLSTATES = new Set(['57014', '55P03'])

/**
 * Whether PostgreSQL gave up on one statement. The database responds: the statement is at fault, or the transaction
 * that holds its lock. Work on many items continues with the next item.
 */
export function isTimeout(error: unknown): boolean {
  return TIMEOUT_SQLSTATES.has(sqlStateOf(error))
}
