import type { Database, Tx } from '../database/index.ts'

/** One wallet's balance of one token, in base units. The five sum to zero; the first three are what the wallet owns. */
export interface Balance {
  readonly tokenAddress: string
  readonly available: bigint
  readonly reserved: bigint
  readonly deployed: bigint
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

/** The balances of one wallet, one row per token. */
export async function balancesOf(
  db: Database | Tx,
  wallet: { organizationId: number; walletId: number },
): Promise<Balance[]> {
  const rows = await db
    .selectFrom('ledger_balances')
    .select(['token_address', 'available', 'reserved', 'deployed', 'yield', 'external'])
    .where('organization_id', '=', wallet.organizationId)
    .where('wallet_id', '=', wallet.walletId)
    .orderBy('token_address')
    .execute()
  return rows.map(({ token_address, ...amounts }) => ({ tokenAddress: token_address, ...amounts }))
}
