import pg from 'pg'
import { findRunningPostgres } from '../../src/database/index.ts'

/** Rows that no test could bring about in time, written as the service would have written them. */
async function write(dataDir: string, statement: string, values: readonly unknown[]): Promise<void> {
  const client = new pg.Client({ connectionString: await findRunningPostgres(dataDir) })
  await client.connect()
  try {
    await client.query(statement, [...values])
  } finally {
    await client.end()
  }
}

const STRATEGY = "(select id from strategies where blockchain = 'polygon' and token = 'USDC' order by id limit 1)"

/** One operation of each wallet of an organization that waits for approval: no plan of the service waits without money. */
export const queueOperations = (dataDir: string, organizationId: number): Promise<void> =>
  write(
    dataDir,
    `insert into operations (organization_id, wallet_id, strategy_id, type, executor, origin, state, amount,
      required_approvals, created_at, updated_at)
     select w.organization_id, w.id, ${STRATEGY}, 'SUPPLY', 'agent', 'explicit', 'PENDING_APPROVAL', 1000000, 1, now(), now()
     from wallets w where w.organization_id = $1 order by w.id`,
    [organizationId],
  )

/** Aborted operations of the organization's oldest wallet, one a minute until now. */
export const abortOperations = (dataDir: string, organizationId: number, count: number): Promise<void> =>
  write(
    dataDir,
    `insert into operations (organization_id, wallet_id, strategy_id, type, executor, origin, state, amount,
      failure_reason, created_at, updated_at, completed_at)
     select $1, (select min(id) from wallets where organization_id = $1), ${STRATEGY}, 'SUPPLY', 'agent', 'explicit',
      'ABORTED', n, 'ABORTED', at, at, at
     from generate_series(1, $2::int) n, lateral (select now() - ($2::int - n) * interval '1 minute' as at) times`,
    [organizationId, count],
  )

/** Open positions of 1 USDC each: one of the organization's oldest wallet, the others each in a wallet of its own. */
export const holdPositions = (dataDir: string, organizationId: number, count: number): Promise<void> =>
  write(
    dataDir,
    `with copies as (
      insert into wallets (organization_id, wallet_profile_id, blockchain, address, label, reconciled_block, created_at)
      select organization_id, wallet_profile_id, blockchain, '0x' || lpad(to_hex(id * 4096 + n), 40, 'a'), 'Branch ' || n,
        reconciled_block, created_at
      from wallets, generate_series(2, $2::int) n
      where id = (select min(id) from wallets where organization_id = $1)
      returning id
    )
    insert into allocations (organization_id, wallet_id, strategy_id, status, shares, principal, posted_value, posted_price,
      posted_at, opened_at, updated_at)
    select $1, id, ${STRATEGY}, 'ACTIVE', 1000000, 1000000, 1000000, 1000000000000000000, now(), now() - interval '1 day', now()
    from (select id from copies union all select min(id) from wallets where organization_id = $1) held order by held.id`,
    [organizationId, count],
  )
