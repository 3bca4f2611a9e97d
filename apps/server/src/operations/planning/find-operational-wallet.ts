import type { Database, Tx } from '../../database/index.ts'
import { assert, Failure } from '../../kernel/index.ts'
import { findOperationalWallet, type OperationalWallet, type Wallet, walletFrom } from '../../wallets/index.ts'

/** An operational wallet with its wallet. */
export interface OperationalWalletContext {
  readonly opWallet: OperationalWallet
  readonly wallet: Wallet
  /** The chains that the wallet's profile allows. */
  readonly enabledChains: readonly string[]
  /** The last block that the wallet's chain was settled up to; a balance from before it is no basis for a plan. */
  readonly settledBlock: number | undefined
}

/** Error: WALLET_NOT_FOUND. */
export async function findOperationalWalletContext(
  db: Database | Tx,
  key: { readonly organizationId: number; readonly opWalletId: number },
): Promise<OperationalWalletContext> {
  const opWallet = await findOperationalWallet(db, key)
  if (!opWallet) throw new Failure('WALLET_NOT_FOUND', { message: 'There is no operational wallet with this id.' })
  const row = await db
    .selectFrom('wallets')
    .innerJoin('wallet_profiles', (join) =>
      join
        .onRef('wallet_profiles.organization_id', '=', 'wallets.organization_id')
        .onRef('wallet_profiles.id', '=', 'wallets.wallet_profile_id'),
    )
    .selectAll('wallets')
    .select('wallet_profiles.enabled_chains')
    .select((from) =>
      from
        .selectFrom('chain_cursors')
        .select('final_number')
        .whereRef('chain_cursors.blockchain', '=', 'wallets.blockchain')
        .as('settled_block'),
    )
    .where('wallets.organization_id', '=', key.organizationId)
    .where('wallets.id', '=', opWallet.walletId)
    .executeTakeFirst()
  assert(row, 'an operational wallet has a wallet')
  const { enabled_chains: enabledChains, settled_block: settledBlock } = row
  return { opWallet, wallet: walletFrom(row), enabledChains, settledBlock: settledBlock ?? undefined }
}
