import { isConnectFailure } from './connect-failures.ts'
import { UncertainCommitError } from './durable-client.ts'

/**
 * SQLSTATE classes and codes that are temporary: connection lost, too many, shutting down, starting, a standby that was
 * the primary, resources exhausted, ended by a time-out, lock or timeout.
 */
const UNAVAILABLE_SQLSTATES = /^(?:08...|53...|57P0[1-5]|25006|25P0[34]|55P03|57014)$/
const NETWORK_ERROR_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOENT',
  'ENETDOWN',
  'ENETUNREACH',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'ENOTFOUND',
])
const CLIENT_ERROR_MESSAGES =
  /^(?:Connection terminated|timeout expired$|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed and is not queryable|There was an error establishing an SSL connection$|no response in \d+ ms)/

/**
 * Whether an error means that the database is temporarily unavailable. The client may retry (503), and safely so with
 * an Idempotency-Key, even if it is unknown whether a commit succeeded.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof UncertainCommitError || CLIENT_ERROR_MESSAGES.test(error.message)) return true
  const code = 'code' in error ? error.code : undefined
  if (typeof code === 'string') {
    if (UNAVAILABLE_SQLSTATES.test(code)) return true
    if (NETWORK_ERROR_CODES.has(code) && 'syscall' in error && !('statusCode' in error)) return true
    if (NETWORK_ERROR_CODES.has(code) && isConnectFailure(error)) return true
  }
  return error instanceof AggregateError && error.errors.some(isDatabaseUnavailable)
}
