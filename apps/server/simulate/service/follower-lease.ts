import { sql } from 'kysely'
import type { Database } from '../../src/database/index.ts'
import { leasedDatabase } from '../../src/database/queries/leased-database.ts'

const JOB = 'follow the chain'

/**
 * Takes the follower's job over, no matter who holds it, as a process does when the holder's lease has expired. Returns
 * the handle for the work, whose transactions fail once another process took over in turn.
 */
export async function takeFollowerLease(db: Database, workerId: number): Promise<Database> {
  const { rows } = await sql<{ token: number }>`
    insert into job_leases (job, worker_id, token, since) values (${JOB}, ${workerId}, 1, now())
    on conflict (job) do update set worker_id = excluded.worker_id, token = job_leases.token + 1
    returning token`.execute(db)
  return leasedDatabase(db, { job: JOB, workerId, token: Number(rows[0]!.token) })
}
