/**
 * Takes the leases of the jobs `follow` and `sweep` at the given URL, with a lease of the given milliseconds. A round
 * writes its worker into the table `written`, prints the job, and runs until its lease is lost; then it writes again.
 */
import { sql } from 'kysely'
import { createPeriodicRunner, inTransaction, type JobLease, openDatabase } from '../../src/database/index.ts'
import { silentLog, systemClock } from '../../src/kernel/index.ts'

const [, , databaseUrl = '', leaseMs = '8000'] = process.argv
const { db } = openDatabase({ url: databaseUrl, log: silentLog, max: 2 })
const periodic = createPeriodicRunner({ databaseUrl, log: silentLog, clock: systemClock, leaseMs: Number(leaseMs) })
const write = (lease: JobLease) =>
  inTransaction(lease.database(db), (tx) =>
    sql`insert into written (worker) values (${`child ${lease.job}`})`.execute(tx),
  )
const round = async (signal: AbortSignal, lease: JobLease) => {
  await write(lease)
  process.stdout.write(`${lease.job}\n`)
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  const outcome = await write(lease).then(
    () => 'wrote',
    (error: Error) => error.name,
  )
  process.stdout.write(`${outcome} ${lease.job}\n`)
}
periodic.every('follow', 1, round)
periodic.every('sweep', 1, round)
