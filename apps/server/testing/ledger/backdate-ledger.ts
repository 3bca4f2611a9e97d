import pg from 'pg'
import { findRunningPostgres } from '../../src/database/index.ts'

/**
 * Posts what was deposited and earned two days earlier, so that a day that is over has balances: nothing else can make a
 * ledger older, which is append-only. What was withdrawn stays as it is.
 */
export async function backdateLedger(dataDir: string): Promise<void> {
  const client = new pg.Client({ connectionString: await findRunningPostgres(dataDir) })
  await client.connect()
  try {
    await client.query('set session_replication_role = replica')
    await client.query(
      `update ledger_entries set created_at = created_at - interval '2 days'
       where kind in ('external_balance', 'reserve', 'supply', 'yield')`,
    )
  } finally {
    await client.end()
  }
}
