import type pg from 'pg'
import { LOCK_TIMEOUT_MS, SERVER_CONNECT_TIMEOUT_MS } from '../../kernel/index.ts'
import { type DatabaseServer, parseDatabaseUrl } from './database-address.ts'
import { queryServer } from './query-server.ts'
import { sessionSetup, statementTimeoutOf } from './session-setup.ts'
import { ConnectionWatch } from './watch-connections.ts'
import { ReadOnlyServerError, WritableServer } from './writable-server.ts'

/** How connections to a database are made and watched. Connections of one pool share it. */
export interface ConnectionPlan {
  readonly server: WritableServer
  readonly watch: ConnectionWatch
  /** The first statement of a session, and one for servers that do not report their place. */
  readonly setup: readonly [string, string]
  /** Where the database was when the last session began; changes when it moves to another cluster or timeline. */
  readonly seen: { place?: string }
  /** A session found the database in another place and began an epoch. */
  readonly onEpoch: ((epoch: unknown) => void) | undefined
  /** A session found the database on an earlier timeline than the last one: what was acknowledged there is lost. */
  readonly onReturn: ((move: PlaceChange) => void) | undefined
  readonly statementTimeoutMs: number
  readonly mustAcceptWrites: boolean
  /** What this server's backends do, by process id; idle ones are missing. Rejects when the server is silent. */
  readBackends(server: DatabaseServer, milliseconds: number): Promise<Backends>
}

/**
 * Backends of this user that execute a statement, by process id: what identifies the statement while its commit waits for
 * standbys, and `undefined` while it does not.
 */
export type Backends = ReadonlyMap<number, string | undefined>

/** From one cluster and timeline to another. */
export interface PlaceChange {
  readonly from: string
  readonly to: string
}

/** What a client or a pool of clients of the database is created with. */
export type PlannedConfig = pg.ClientConfig & { readonly plan: ConnectionPlan }

export interface PlanOptions {
  readonly url: string
  /** PostgreSQL's application_name. */
  readonly name: string
  readonly watch?: ConnectionWatch | undefined
  readonly onEpoch?: (epoch: unknown) => void
  readonly onReturn?: (move: PlaceChange) => void
}

/** One for all connections of this process. */
const PROCESS_WATCH = new ConnectionWatch()

/** Whether commits of this process would wait for a standby that is missing. */
export const isStandbyAwaited = (): boolean => PROCESS_WATCH.awaitsStandby

/**
 * The configuration of every connection of Weir, whatever opens it: the pool, the locks of periodic work, listeners.
 * Throws the end of a sentence about the URL when that is wrong.
 */
export function planConnections({ url, name, watch = PROCESS_WATCH, onEpoch, onReturn }: PlanOptions): PlannedConfig {
  const address = parseDatabaseUrl(url)
  const { mustAcceptWrites } = address
  const plain = { connectionString: address.url }
  return {
    ...plain,
    application_name: name,
    connectionTimeoutMillis: LOCK_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: LOCK_TIMEOUT_MS,
    plan: {
      server: new WritableServer(address, async (server) => {
        const question = { config: plain, server, milliseconds: SERVER_CONNECT_TIMEOUT_MS, statement: READ_ONLY }
        const [found] = await queryServer<{ is_read_only: boolean }>(question)
        if (found?.is_read_only && mustAcceptWrites) throw new ReadOnlyServerError(server)
      }),
      watch,
      setup: [sessionSetup(address), sessionSetup(address, 'placeless')],
      seen: {},
      onEpoch,
      onReturn,
      statementTimeoutMs: statementTimeoutOf(address),
      mustAcceptWrites,
      readBackends: readBackendsOf(plain),
    },
  }
}

const READ_ONLY = `select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as is_read_only`
const EXECUTING = `
  select pid, case when wait_event = 'SyncRep' then pid || ' ' || query_start end as waits
  from pg_stat_activity where usename = session_user and state not like 'idle%'`

/** Questions of the same moment share one connection to their server. */
function readBackendsOf(config: pg.ClientConfig): ConnectionPlan['readBackends'] {
  const asked = new Map<string, Promise<Backends>>()
  return async (server, milliseconds) => {
    const name = `${server.host} ${server.port}`
    let backends = asked.get(name)
    if (backends === undefined) {
      const question = { config, server, milliseconds, statement: EXECUTING }
      backends = queryServer<{ pid: number; waits: string | null }>(question).then(
        (rows) => new Map(rows.map((row) => [row.pid, row.waits ?? undefined])),
      )
      asked.set(name, backends)
      queueMicrotask(() => asked.delete(name))
    }
    return await backends
  }
}
