import { sql } from 'kysely'
import { type Database, inTransaction, type Tx } from '../../src/database/index.ts'
import { until } from '../until.ts'

/** Two verbs at once, the first of which has done its work and not committed. */
interface Overlap<T> {
  /** Runs the first verb's work; commits once the other verb waits for a lock or has ended. */
  transact<R>(work: (tx: Tx) => Promise<R>): Promise<R>
  /** The result of the other verb. */
  outcome(): Promise<T>
}

/** Starts `other` while a transaction is open, after that transaction's work. */
export function overlap<T>(db: Database, other: () => Promise<T>): Overlap<T> {
  let outcome: Promise<T> | undefined
  return {
    transact: (work) =>
      inTransaction(db, async (tx) => {
        const result = await work(tx)
        outcome = other()
        await untilBlockedOrEnded(db, outcome)
        return result
      }),
    outcome: () => outcome!,
  }
}

/** Resolves once `work` has ended, or this many sessions of the database, by default one, wait for locks. */
export async function untilBlockedOrEnded(db: Database, work: Promise<unknown>, sessions = 1): Promise<void> {
  let hasEnded = false
  const end = () => {
    hasEnded = true
  }
  work.then(end, end)
  await until(async () => hasEnded || (await countLockWaits(db)) >= sessions)
}

async function countLockWaits(db: Database): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
  `.execute(db)
  return rows.length
}
