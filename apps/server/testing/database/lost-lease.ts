import type { Database } from '../../src/database/index.ts'
import { leasedDatabase } from '../../src/database/queries/leased-database.ts'

/** A handle of a process that does not know that another one took its job over. */
export const lostLease = (db: Database): Database => leasedDatabase(db, { job: 'follow', workerId: 1, token: 1 })
