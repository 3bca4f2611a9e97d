import { setTimeout as pause } from 'node:timers/promises'
import type { Transaction } from 'kysely'
import { Failure } from '../kernel/index.ts'
import type { Database } from './open-database.ts'
import { isStaleStatement } from './prepared-query.ts'
import type { Schema } from './schema.ts'

export type Tx = Transaction<Schema>

/** Serialization failure and deadlock: PostgreSQL promises that nothing of the transaction was done. */
const RETRYABLE_SQLSTATES = new Set(['40001', '40P01'])
/** What the tables themselves refuse: anything new for an organization that was deleted. */
const ORGANIZATION_DELETED = 'WR404'
const RETRIES_MAX = 3
/** Whoever was waiting for our locks takes them in this time; without it we might snatch them and deadlock again. */
const RETRY_DELAY_MS = 10

/**
 * Runs `work` in one read-committed transaction and commits it. On a deadlock or a serialization failure, or when a table
 * got a column since a statement was prepared, the whole of `work` runs again, up to three times more, so it must have no
 * effect outside the transaction. Everything else is thrown as it is; above all a lost connection, after which the commit
 * may or may not have happened: read back first.
 *
 * Error: ORGANIZATION_NOT_FOUND when `work` plans something for an organization that was deleted meanwhile.
 */
export async function inTransaction<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await db.transaction().setIsolationLevel('read committed').execute(work)
    } catch (error) {
      if (sqlState(error) === ORGANIZATION_DELETED) throw new Failure('ORGANIZATION_NOT_FOUND', { cause: error })
      if (retries === RETRIES_MAX || !(RETRYABLE_SQLSTATES.has(sqlState(error)) || isStaleStatement(error))) throw error
      await pause(RETRY_DELAY_MS * 2 ** retries)
    }
  }
}

function sqlState(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
