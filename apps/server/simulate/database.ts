import { sql } from 'kysely'
import type pg from 'pg'
import type { PlannedConfig } from '../src/database/connections/connection-plan.ts'
import { type Database, openDatabase } from '../src/database/index.ts'
import { silentLog } from '../src/kernel/index.ts'
import { saveDatabase } from './save-database.ts'

/** One database for all seeds of a worker, which run one after the other. */
export interface SimulationDatabase {
  /** For the simulated service: one connection. */
  readonly pool: pg.Pool
  /** For checks and clients' setup, never for the service. */
  readonly db: Database
  readonly reader: pg.Pool
  /** Deletes everything and restarts ids at 1: a seed then replays to the last digit. */
  clear(): Promise<void>
  /** Copies everything; what it returns puts the database back to that state. */
  save(): Promise<() => Promise<void>>
  /** The service's session ends, as it does when its server is replaced; a new process does not know its place. */
  endSessions(by: 'the same process' | 'a new process'): Promise<void>
  close(): Promise<void>
}

/** No seed survives a crash of the database's machine, so commits need not wait for the disk. */
const QUICK = '-c synchronous_commit=off'

export async function openSimulationDatabase(url: string): Promise<SimulationDatabase> {
  const quick = new URL(url)
  quick.searchParams.set('options', QUICK)
  const service = openDatabase({ url: quick.href, log: silentLog, max: 1 })
  const reader = openDatabase({ url: quick.href, log: silentLog, max: 1 })
  const { rows } = await sql<{ statement: string }>`
    select string_agg(statement, '; ') as statement from (
      select format('delete from %I', tablename) as statement from pg_tables
        where schemaname = 'public' and tablename not like 'kysely%'
      union all
      select format('alter sequence %I restart', sequencename) from pg_sequences where schemaname = 'public'
    ) statements
  `.execute(reader.db)
  const statement = rows[0]!.statement
  return {
    pool: service.pool,
    db: reader.db,
    reader: reader.pool,
    async clear() {
      // Replica mode disables triggers, including foreign keys and the ledger's own guard.
      await reader.pool.query(
        `begin; set local session_replication_role = replica; ${statement}; insert into database_history default values; commit`,
      )
    },
    save: () => saveDatabase(reader.pool),
    async endSessions(by) {
      if (by === 'a new process') delete (service.pool.options as unknown as PlannedConfig).plan.seen.place
      const { rows } = await service.pool.query<{ pid: number }>('select pg_backend_pid() as pid')
      await reader.pool.query('select pg_terminate_backend($1)', [rows[0]!.pid])
      while (service.pool.totalCount > 0) await new Promise((resolve) => setTimeout(resolve, 1))
    },
    async close() {
      await service.close()
      await reader.close()
    },
  }
}
