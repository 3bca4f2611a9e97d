/** SQLSTATE classes and codes that say: not now. Connection lost, too many, shutting down, starting, lock or time out. */
const UNAVAILABLE_SQLSTATES = /^(?:08...|53300|57P0[1-5]|55P03|57014)$/
const NETWORK_ERROR_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOENT'])
const CLIENT_ERROR_MESSAGES =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/

/**
 * Whether an error says that the database cannot be used at the moment. The client may try again (503), and with an
 * Idempotency-Key it does so safely, also where it is unknown whether a commit came through.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (CLIENT_ERROR_MESSAGES.test(error.message)) return true
  const code = 'code' in error ? error.code : undefined
  if (typeof code === 'string') {
    if (UNAVAILABLE_SQLSTATES.test(code)) return true
    if (NETWORK_ERROR_CODES.has(code) && 'syscall' in error && !('statusCode' in error)) return true
  }
  return error instanceof AggregateError && error.errors.some(isDatabaseUnavailable)
}
