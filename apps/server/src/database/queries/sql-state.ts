/** The SQLSTATE of an error of PostgreSQL, or the code of a system call's; empty for any other error. */
export function sqlStateOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
