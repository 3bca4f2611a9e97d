import pg from 'pg'
import { findRunningPostgres } from '../src/database/index.ts'

/**
 * Opens a break of 5 USDC of a wallet on Polygon: nothing that a test can do to a chain opens one at once. Its reason is
 * not the measured one, so the next measurement, which finds no difference, does not close it.
 */
export async function openBreak(dataDir: string, walletId: number): Promise<void> {
  const client = new pg.Client({ connectionString: await findRunningPostgres(dataDir) })
  await client.connect()
  try {
    await client.query(
      `insert into ledger_breaks (organization_id, wallet_id, token_address, amount, reason, opened_at)
       select wallet.organization_id, wallet.id, strategies.token_address, 5000000, 'test', now()
       from wallets as wallet, strategies
       where wallet.id = $1 and strategies.blockchain = 'polygon' and strategies.token = 'USDC' limit 1`,
      [walletId],
    )
  } finally {
    await client.end()
  }
}
