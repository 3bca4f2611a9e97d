import { sqlStateOf } from '../queries/sql-state.ts'
import { isConnectFailure, isRefusal } from './connect-failures.ts'
import { UncertainCommitError } from './durable-client.ts'

/**
 * SQLSTATE classes and codes that are temporary: connection lost (a pooler sends 08P01 where its server refuses it), too
 * many, shutting down, starting, a standby that was the primary or that lost this database (57P04), resources exhausted,
 * ended by a time-out, lock or timeout.
 */
const UNAVAILABLE_SQLSTATES = /^(?:08...|53...|57P0[1-5]|25006|25P0[34]|55P03|57014)$/

/**
 * The server refuses new sessions: password, login, database, right to connect, no connections allowed. This process
 * has already worked with these settings, or ends at its start. So somebody restores the database, or replaces a
 * password, and connections that are open still work.
 */
const REFUSED_SESSIONS = /^(?:28...|3D000|42501|55000)$/

const NETWORK_ERROR_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENETDOWN',
  'ENETUNREACH',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'ENOTFOUND',
])
/** Codes that concern a server only where a connection to it was opened: its socket's file, and free descriptors. */
const CONNECT_ERROR_CODES = new Set(['ENOENT', 'EMFILE', 'ENFILE'])
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
    if (CONNECT_ERROR_CODES.has(code) && 'syscall' in error && error.syscall === 'connect') return true
    if (NETWORK_ERROR_CODES.has(code) && 'syscall' in error && !('statusCode' in error)) return true
    if (NETWORK_ERROR_CODES.has(code) && isConnectFailure(error)) return true
  }
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable)
  return isRefusedSession(error)
}

/** Whether a server of the database responded, and refused this user, password or database. */
export function isRefusedSession(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isRefusedSession)
  return isRefusal(error) && REFUSED_SESSIONS.test(sqlStateOf(error))
}

/**
 * Whether the server could not read or write a file of one table. After a failover a retry works, but until then only
 * what is in this file fails: work on other items continues, so this is not {@link isDatabaseUnavailable}.
 */
export function isStorageFault(error: unknown): boolean {
  return sqlStateOf(error) === '58030'
}
