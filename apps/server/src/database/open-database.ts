import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { LOCK_TIMEOUT_MS, type Log, POOL_CONNECTIONS_DEFAULT, STATEMENT_TIMEOUT_MS } from '../kernel/index.ts'
import { DurableClient } from './durable-client.ts'
import type { Database } from './handles.ts'
import { registerPool } from './prepared-query.ts'
import { createOutageReporter } from './report-outage.ts'
import type { Schema } from './schema.ts'
import { typeParsers } from './type-parsers.ts'

export interface OpenDatabase {
  readonly db: Database
  /** The pool under `db`, for hand-written named statements; its results are converted in the same way. */
  readonly pool: pg.Pool
  close(): Promise<void>
}

/**
 * Opens a connection pool to `url`. Nothing connects before the first statement. Results: int8 as a safe number,
 * numeric as `bigint`, timestamptz as `Date`, date as 'YYYY-MM-DD'; a `bigint` parameter is sent as text.
 */
export function openDatabase({ url, log, max }: { url: string; log: Log; max?: number }): OpenDatabase {
  const pool = new pg.Pool({
    connectionString: url,
    max: max ?? POOL_CONNECTIONS_DEFAULT,
    Client: DurableClient,
    types: typeParsers,
    application_name: 'weir',
    connectionTimeoutMillis: LOCK_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    keepAlive: true,
  })
  // Without a listener, a connection that breaks, idle or within a transaction, would end the process. Its user sees
  // the failing statement, and the pool drops the connection.
  const outages = createOutageReporter(log, 'requests')
  pool.on('connect', (client) => {
    outages.reportRecovery()
    client.on('error', (error) => {
      // The pool does not wait for the connections that it closes, so the server may close one first.
      if (!pool.ending && !outages.reportFailure(error)) log.warn({ err: error }, 'database connection lost')
    })
  })
  pool.on('error', () => undefined)
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  registerPool(db, pool)
  return { db, pool, close: () => db.destroy() }
}
