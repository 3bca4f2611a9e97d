import { type RawBuilder, sql } from 'kysely'
import { type Database, holdsLease, type Tx } from '../database/index.ts'

interface WalletKey {
  readonly organizationId: number
  readonly walletId: number
}

/** Requests that the follower reconciles the wallet at the current block of its chain in its next round (rule 7). */
export async function requestReconciliation(db: Database | Tx, wallet: WalletKey): Promise<void> {
  await recordReconciliations(db, [{ wallet, blockNumber: null }])
}

/** The same for every wallet of a chain. */
export async function requestChainReconciliation(db: Database | Tx, blockchain: string): Promise<void> {
  await db.updateTable('wallets').set({ reconciled_block: null }).where('blockchain', '=', blockchain).execute()
}

/** The same for the wallets of a chain with these addresses, in every organization. */
export async function requestAddressReconciliation(
  db: Database | Tx,
  blockchain: string,
  addresses: readonly string[],
): Promise<void> {
  await db
    .updateTable('wallets')
    .set({ reconciled_block: null })
    .where('blockchain', '=', blockchain)
    .where('address', '=', sql<string>`any(${addresses}::text[])`)
    .where(holdsLease(db))
    .execute()
}

/** The same as part of a larger statement. `wallets` is a query of organization and wallet ids. */
export function requestReconciliationSql(wallets: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`update wallets w set reconciled_block = null where (w.organization_id, w.id) in (${wallets})`
}

/**
 * Records the block at which each whole wallet was reconciled; `null` while a reconciliation is still requested. One
 * statement.
 */
export async function recordReconciliations(
  db: Database | Tx,
  reconciled: readonly { readonly wallet: WalletKey; readonly blockNumber: number | null }[],
): Promise<void> {
  await sql`
    update wallets w set reconciled_block = r.block_number
    from unnest(${reconciled.map(({ wallet }) => wallet.organizationId)}::bigint[],
      ${reconciled.map(({ wallet }) => wallet.walletId)}::bigint[],
      ${reconciled.map(({ blockNumber }) => blockNumber)}::bigint[]) as r(organization_id, id, block_number)
    where w.organization_id = r.organization_id and w.id = r.id
  `.execute(db)
}
