import pg from 'pg'
import { findRunningPostgres } from '../../src/database/index.ts'

/**
 * Opens a break of 5 USDC of a wallet on Polygon, or several: nothing that a test can do to a chain opens one at once.
 * Their reasons are not the measured one, so the next measurement, which finds no difference, closes none. Those of an
 * earlier call for the wallet open again. Returns the ids.
 */
export async function openBreak(dataDir: string, walletId: number, count = 1): Promise<number[]> {
  const client = new pg.Client({ connectionString: await findRunningPostgres(dataDir) })
  await client.connect()
  try {
    const { rows } = await client.query<{ id: string }>(
      `insert into ledger_breaks (organization_id, wallet_id, token_address, amount, reason, opened_at)
       select organization_id, id, (select token_address from strategies
         where blockchain = 'polygon' and token = 'USDC' limit 1), 5000000, 'test ' || number, now()
       from wallets, generate_series(1, $2) number where id = $1
       on conflict (organization_id, wallet_id, token_address, reason) where closed_at is null do update
       set opened_at = excluded.opened_at, accepted_at = null, accepted_by = null, accepted_amount = null,
         accepted_reason = null
       returning id`,
      [walletId, count],
    )
    return rows.map(({ id }) => Number(id))
  } finally {
    await client.end()
  }
}
