import { Kysely } from 'kysely'
import pg from 'pg'
import { type Log, POOL_CONNECTIONS_DEFAULT } from '../../kernel/index.ts'
import type { Database } from '../handles.ts'
import { registerPool } from '../queries/prepared-query.ts'
import type { Schema } from '../schema.ts'
import { type PlaceChange, planConnections } from './connection-plan.ts'
import { DurableClient } from './durable-client.ts'
import { OriginalErrorDialect } from './original-error-dialect.ts'
import { createOutageReporter } from './report-outage.ts'
import { typeParsers } from './type-parsers.ts'
import type { ConnectionWatch } from './watch-connections.ts'

export interface OpenDatabase {
  readonly db: Database
  /** The pool under `db`, for hand-written named statements; its results are converted in the same way. */
  readonly pool: pg.Pool
  close(): Promise<void>
}

export interface OpenDatabaseOptions {
  /** DATABASE_URL: one server, or several of which one accepts writes. */
  readonly url: string
  readonly log: Log
  /** Connections of the pool. */
  readonly max?: number | undefined
  /** The watch over silent connections; the one of the process except in tests. */
  readonly watch?: ConnectionWatch
}

/**
 * Opens a connection pool to `url`. Nothing connects before the first statement. Results: int8 as a safe number,
 * numeric as `bigint`, timestamptz as `Date`, date as 'YYYY-MM-DD'; a `bigint` parameter is sent as text.
 */
export function openDatabase({ url, log, max, watch }: OpenDatabaseOptions): OpenDatabase {
  const onEpoch = (epoch: unknown) =>
    log.warn({ epoch }, 'the database is on another cluster or timeline, after a failover or a restore')
  const onReturn = (move: PlaceChange) =>
    log.error(
      move,
      'the database has gone back in time, to an earlier timeline: acknowledged writes are lost (docs/high-availability.md)',
    )
  const pool = new pg.Pool({
    ...planConnections({ url, name: 'weir', watch, onEpoch, onReturn }),
    max: max ?? POOL_CONNECTIONS_DEFAULT,
    Client: DurableClient as never,
    types: typeParsers,
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
  // The next connection finds the server that accepts writes now.
  pool.on('release', (_error, client) => (client as unknown as DurableClient).onRelease())
  const db = new Kysely<Schema>({ dialect: new OriginalErrorDialect({ pool }) })
  registerPool(db, pool)
  return { db, pool, close: () => db.destroy() }
}
