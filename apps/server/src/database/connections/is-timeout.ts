/** A statement that was canceled (`statement_timeout`), or a lock that another transaction kept for too long. */
const TIMEOUT_SQLSTATES = new Set(['57014', '55P03'])

/**
 * Whether PostgreSQL gave up on one statement. The database responds: the statement is at fault, or the transaction
 * that holds its lock. Work on many items continues with the next item.
 */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && TIMEOUT_SQLSTATES.has(String(error.code))
}
