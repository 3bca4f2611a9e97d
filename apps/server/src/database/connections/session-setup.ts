import {
  CLIENT_CHECK_INTERVAL_MS,
  IDLE_IN_TRANSACTION_TIMEOUT_MS,
  LOCK_TIMEOUT_MS,
  SERVER_KEEPALIVE,
  STATEMENT_TIMEOUT_MS,
} from '../../kernel/index.ts'
import type { DatabaseAddress } from './database-address.ts'

/** What the first statement of a session returns. */
export interface SessionFacts {
  /** Behind a pooler this differs from the id that the connection received. */
  readonly pid: number
  readonly is_read_only: boolean
  /** The cluster and its timeline; null on a standby, and where the server does not say. */
  readonly place: string | null
}

/** Every session's time-outs, by the name of PostgreSQL's parameter. */
function parametersOf({ session }: Pick<DatabaseAddress, 'session'>): Record<string, string> {
  return {
    statement_timeout: String(STATEMENT_TIMEOUT_MS),
    lock_timeout: String(LOCK_TIMEOUT_MS),
    idle_in_transaction_session_timeout: String(IDLE_IN_TRANSACTION_TIMEOUT_MS),
    ...SERVER_KEEPALIVE,
    ...session,
  }
}

/**
 * The first statement of each session. It sets the time-outs, because PgBouncer refuses startup parameters that it does
 * not know, and reads what the connection needs to know about its server, all in one round trip.
 * `placeless`: for managed services that do not let their users read the cluster and its timeline.
 */
export function sessionSetup(address: Pick<DatabaseAddress, 'session'>, placeless?: 'placeless'): string {
  const values = Object.entries(parametersOf(address)).map(([name, value]) => setConfig(name, value))
  // Only some systems can tell that a client is gone while a statement runs; PostgreSQL refuses the value elsewhere.
  const check = `case when version() like '%linux%' then ${setConfig('client_connection_check_interval', String(CLIENT_CHECK_INTERVAL_MS))} end`
  return `select ${values.join(', ')}, ${check}, pg_backend_pid() as pid,
    pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as is_read_only,
    ${placeless === undefined ? PLACE : 'null'} as place`
}

const PLACE = `case when not pg_is_in_recovery() then (select system_identifier::text from pg_control_system()) || '/'
  || left(pg_walfile_name(pg_current_wal_lsn()), 8) end`

/** The server's limit for one statement in milliseconds; 0: none. */
export function statementTimeoutOf(address: Pick<DatabaseAddress, 'session'>): number {
  const text = parametersOf(address).statement_timeout ?? '0'
  const [, digits, unit = 'ms'] = /^\s*(\d+)\s*(ms|s|min|h)?\s*$/.exec(text) ?? []
  const factor = { ms: 1, s: 1_000, min: 60_000, h: 3_600_000 }[unit] ?? 1
  return digits === undefined ? STATEMENT_TIMEOUT_MS : Number(digits) * factor
}

function setConfig(name: string, value: string): string {
  return `set_config('${name}', '${value.replaceAll("'", "''")}', false)`
}
