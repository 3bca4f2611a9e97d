import { sql } from 'kysely'
import type { Network } from '../chains/index.ts'
import type { Database } from '../database/index.ts'

/** Opens accounts for tokens that were added to a network after its wallets were registered; runs once at start. */
export async function openMissingAccounts(db: Database, network: Network): Promise<void> {
  const addresses = network.tokens.map((token) => token.address)
  await sql`
    insert into ledger_balances (organization_id, wallet_id, token_address)
    select w.organization_id, w.id, t.address
    from wallets w cross join unnest(${addresses}::text[]) as t(address)
    where w.blockchain = ${network.blockchain}
    on conflict do nothing
  `.execute(db)
}
