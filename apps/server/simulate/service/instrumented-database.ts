import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  PostgresDialect,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import type { Pool } from 'pg'
import type { Database, Schema } from '../../src/database/index.ts'
import type { CrashSchedule } from './crash-points.ts'
import type { Failover } from './failover.ts'
import type { Rewrite } from './rewrite.ts'
import type { Turns } from './schedule.ts'
import type { SettlementFaults } from './settlement-faults.ts'

interface InstrumentedDatabaseParts {
  readonly pool: Pool
  readonly schedule: Turns
  readonly crashes: CrashSchedule
  readonly failover: Failover
  readonly settlements: SettlementFaults
  readonly rewrite: Rewrite
  /** A deliberate defect: the standby lacks commits that were acknowledged just before the failover. */
  readonly losesCommits: boolean
  /** Called when the database may have changed. */
  readonly onWrite: () => void
}

/**
 * The real database behind a driver that takes turns and can lose its process, or its server, before and after each
 * commit and statement. One connection: the order of statements is the order of turns.
 */
export function openInstrumentedDatabase(parts: InstrumentedDatabaseParts): Database {
  const inner = new PostgresDialect({ pool: parts.pool })
  const dialect: Dialect = {
    createAdapter: () => inner.createAdapter(),
    createQueryCompiler: () => inner.createQueryCompiler(),
    createIntrospector: (db) => inner.createIntrospector(db),
    createDriver: () => new InstrumentedDriver(inner.createDriver(), parts),
  }
  return new Kysely<Schema>({ dialect })
}

class InstrumentedDriver implements Driver {
  readonly #inner: Driver
  readonly #parts: InstrumentedDatabaseParts

  constructor(inner: Driver, parts: InstrumentedDatabaseParts) {
    this.#inner = inner
    this.#parts = parts
  }

  init(): Promise<void> {
    return this.#parts.schedule.during(() => this.#inner.init())
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    const { schedule, crashes, failover } = this.#parts
    await schedule.connect()
    try {
      crashes.point('before a statement')
      failover.requireServer()
      const connection = await schedule.during(() => this.#inner.acquireConnection())
      return new InstrumentedConnection(connection, this.#parts)
    } catch (error) {
      schedule.disconnect()
      throw error
    }
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const { schedule } = this.#parts
    await schedule.during(() => this.#inner.beginTransaction(innerOf(connection), settings))
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const { schedule, crashes, failover, losesCommits, onWrite } = this.#parts
    crashes.point('before a commit')
    failover.point()
    const isLost = losesCommits && failover.isNear
    await schedule.during(() => this.#end(innerOf(connection), isLost))
    onWrite()
    if (!isLost) failover.point()
    crashes.point('after a commit')
  }

  #end(connection: DatabaseConnection, isLost: boolean): Promise<void> {
    return isLost ? this.#inner.rollbackTransaction(connection) : this.#inner.commitTransaction(connection)
  }

  /** A dead process rolls nothing back; the database server does. */
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await this.#parts.schedule.during(() => this.#inner.rollbackTransaction(innerOf(connection)))
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    await this.#parts.schedule.during(() => this.#inner.releaseConnection(innerOf(connection)))
    this.#parts.schedule.disconnect()
  }

  /** The pool belongs to the worker, not to this process. */
  async destroy(): Promise<void> {}
}

class InstrumentedConnection implements DatabaseConnection {
  readonly inner: DatabaseConnection
  readonly #parts: InstrumentedDatabaseParts
  /** A connection is acquired for each transaction. */
  readonly #settle: ReturnType<SettlementFaults['watch']>

  constructor(inner: DatabaseConnection, parts: InstrumentedDatabaseParts) {
    this.inner = inner
    this.#parts = parts
    this.#settle = parts.settlements.watch()
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { schedule, crashes, failover, rewrite, onWrite } = this.#parts
    crashes.point('before a statement')
    failover.point()
    this.#settle(query)
    const result = await schedule.during(() => this.inner.executeQuery<R>(rewrite(query)))
    if (!query.sql.startsWith('select')) onWrite()
    failover.point()
    crashes.point('after a statement')
    return result
  }

  streamQuery(): never {
    throw new Error('nothing here reads in streams')
  }
}

const innerOf = (connection: DatabaseConnection): DatabaseConnection => (connection as InstrumentedConnection).inner
