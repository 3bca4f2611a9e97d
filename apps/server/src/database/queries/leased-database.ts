import { type RawBuilder, sql } from 'kysely'
import type { Database, Tx } from '../handles.ts'
import { copyListener } from './milestones.ts'
import { copyPool } from './prepared-query.ts'

/** The right of one process to run a job, until another process holds a newer token. */
export interface JobToken {
  readonly job: string
  readonly workerId: number
  readonly token: number
}

/** Another process took the job over: this one must not write for it. The transaction that found out did nothing. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLost'
}

const TOKENS = new WeakMap<Database, JobToken>()

/**
 * A handle on the same pool for the work of a leased job. Each of its transactions ({@link inTransaction}) first checks
 * the token, and no other process can take the job over until the transaction ends. A process that hung, and does not
 * know that it was replaced, therefore fails with LeaseLostError before it writes. Costs one statement a transaction.
 *
 * A statement outside of a transaction is not checked: add {@link holdsLease} to its condition where it matters.
 */
export function leasedDatabase(db: Database, token: JobToken): Database {
  const leased = db.withoutPlugins()
  copyPool(db, leased)
  copyListener(db, leased)
  TOKENS.set(leased, token)
  return leased
}

/** Fails with LeaseLostError if the handle belongs to a job that another process took over. */
export async function requireLease(db: Database, tx: Tx): Promise<void> {
  const held = TOKENS.get(db)
  if (held === undefined) return
  const { rows } = await sql`
    select from job_leases
    where job = ${held.job} and worker_id = ${held.workerId} and token = ${held.token} for share
  `.execute(tx)
  if (rows.length === 0) throw new LeaseLostError(`another process took over: ${held.job}`)
}

/** A condition for one statement on a leased handle: this process still holds the job. True for any other handle. */
export function holdsLease(db: Database): RawBuilder<boolean> {
  const held = TOKENS.get(db)
  if (held === undefined) return sql<boolean>`true`
  return sql<boolean>`exists (
    select from job_leases
    where job = ${held.job} and worker_id = ${held.workerId} and token = ${held.token} for share
  )`
}
