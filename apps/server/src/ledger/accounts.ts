import { sql } from 'kysely'
import type { Database, Tx } from '../database/index.ts'

/** One wallet's balance of one token, in base units. The six sum to zero; the first four are what the wallet owns. */
export interface Balance {
  readonly tokenAddress: string
  readonly available: bigint
  readonly reserved: bigint
  readonly deployed: bigint
  /** Requested back from strategies and not claimed: it neither earns nor can be spent. */
  readonly exiting: bigint
  readonly yield: bigint
  readonly external: bigint
}

/** Opens the accounts of a wallet for these tokens; open accounts are unchanged. */
export async function openAccounts(
  db: Database | Tx,
  wallet: { organizationId: number; walletId: number },
  tokenAddresses: readonly string[],
): Promise<void> {
  if (tokenAddresses.length === 0) return
  await db
    .insertInto('ledger_balances')
    .values(
      tokenAddresses.map((token_address) => ({
        organization_id: wallet.organizationId,
        wallet_id: wallet.walletId,
        token_address,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Opens accounts for tokens that were added to a network after its wallets were registered; runs once at start. */
export async function openMissingAccounts(
  db: Database,
  network: { readonly blockchain: string; readonly tokens: readonly { readonly address: string }[] },
): Promise<void> {
  const addresses = network.tokens.map((token) => token.address)
  await sql`
    insert into ledger_balances (organization_id, wallet_id, token_address)
    select w.organization_id, w.id, t.address
    from wallets w cross join unnest(${addresses}::text[]) as t(address)
    where w.blockchain = ${network.blockchain}
    on conflict do nothing
  `.execute(db)
}

/** The balances of one wallet, one row per token. */
export async function balancesOf(
  db: Database | Tx,
  wallet: { organizationId: number; walletId: number },
): Promise<Balance[]> {
  const rows = await db
    .selectFrom('ledger_balances')
    .select(['token_address', 'available', 'reserved', 'deployed', 'exiting', 'yield', 'external'])
    .where('organization_id', '=', wallet.organizationId)
    .where('wallet_id', '=', wallet.walletId)
    .orderBy('token_address')
    .execute()
  return rows.map(({ token_address, ...amounts }) => ({ tokenAddress: token_address, ...amounts }))
}

/** The balances of many wallets, in their order, in one statement. */
export async function balancesOfWallets(
  db: Database | Tx,
  wallets: readonly { readonly organizationId: number; readonly walletId: number }[],
): Promise<Balance[][]> {
  if (wallets.length === 1) return [await balancesOf(db, wallets[0]!)]
  const organizations = wallets.map(({ organizationId }) => organizationId)
  const ids = wallets.map(({ walletId }) => walletId)
  const rows = await db
    .selectFrom('ledger_balances')
    .select(['wallet_id', 'token_address', 'available', 'reserved', 'deployed', 'exiting', 'yield', 'external'])
    .where(
      sql<boolean>`(organization_id, wallet_id) in
        (select * from unnest(${organizations}::bigint[], ${ids}::bigint[]))`,
    )
    .orderBy('token_address')
    .execute()
  const byWallet = Map.groupBy(rows, ({ wallet_id }) => wallet_id)
  return wallets.map(({ walletId }) =>
    (byWallet.get(walletId) ?? []).map(({ wallet_id: _, token_address, ...amounts }) => ({
      tokenAddress: token_address,
      ...amounts,
    })),
  )
}
