import pg from 'pg'
import { findRunningPostgres } from '../src/database/index.ts'

/** One operation of each wallet of an organization that waits for approval: no plan of the service waits without money. */
export async function queueOperations(dataDir: string, organizationId: number): Promise<void> {
  const client = new pg.Client({ connectionString: await findRunningPostgres(dataDir) })
  await client.connect()
  try {
    await client.query(
      `insert into operations (organization_id, wallet_id, strategy_id, type, executor, origin, state, amount,
        required_approvals, created_at, updated_at)
       select w.organization_id, w.id, (select id from strategies where blockchain = 'polygon' and token = 'USDC'
         order by id limit 1), 'SUPPLY', 'agent', 'explicit', 'PENDING_APPROVAL', 1000000, 1, now(), now()
       from wallets w where w.organization_id = $1 order by w.id`,
      [organizationId],
    )
  } finally {
    await client.end()
  }
}
