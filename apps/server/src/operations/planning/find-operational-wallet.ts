import { type Database, preparedQuery, type Tx } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import { type OperationalWallet, operationalWalletFrom, type Wallet, walletFrom } from '../../wallets/index.ts'

/** An operational wallet with its wallet. */
export interface OperationalWalletContext {
  readonly opWallet: OperationalWallet
  readonly wallet: Wallet
  /** The chains that the wallet's profile allows. */
  readonly enabledChains: readonly string[]
  /** The last block that the wallet's chain was settled up to; a balance from before it is no basis for a plan. */
  readonly settledBlock: number | undefined
  /** The newest block of the chain that Weir has seen. */
  readonly headBlock: number | undefined
}

/** Prepared, because each plan runs it twice: before it reads the chain, and in its transaction. */
const contextById = preparedQuery(
  'operational wallet with its wallet',
  (db, place: (name: 'organizationId' | 'opWalletId') => never) =>
    db
      .selectFrom('operational_wallets as own')
      .innerJoin('wallets', (join) =>
        join.onRef('wallets.organization_id', '=', 'own.organization_id').onRef('wallets.id', '=', 'own.wallet_id'),
      )
      .innerJoin('wallet_profiles', (join) =>
        join
          .onRef('wallet_profiles.organization_id', '=', 'wallets.organization_id')
          .onRef('wallet_profiles.id', '=', 'wallets.wallet_profile_id'),
      )
      .selectAll('wallets')
      .select(['wallet_profiles.enabled_chains', 'own.token_address', 'own.enable_yield', 'own.buffer_amount'])
      .select(['own.metadata as own_metadata', 'own.created_at as own_created_at', 'own.updated_at as own_updated_at'])
      .select(['own.created_by_type as own_created_by_type', 'own.created_by_id as own_created_by_id'])
      .leftJoin('chain_cursors', 'chain_cursors.blockchain', 'wallets.blockchain')
      .select(['chain_cursors.final_number as settled_block', 'chain_cursors.head_number as head_block'])
      .where('own.organization_id', '=', place('organizationId'))
      .where('own.id', '=', place('opWalletId')),
)

/** Error: WALLET_NOT_FOUND. */
export async function findOperationalWalletContext(
  db: Database | Tx,
  key: { readonly organizationId: number; readonly opWalletId: number },
): Promise<OperationalWalletContext> {
  const { organizationId, opWalletId } = key
  const [row] = await contextById(db, { organizationId, opWalletId })
  if (!row) throw new Failure('WALLET_NOT_FOUND', { message: 'There is no operational wallet with this id.' })
  const { enabled_chains: enabledChains, settled_block: settledBlock, head_block: headBlock } = row
  const opWallet = operationalWalletFrom({
    organization_id: organizationId,
    id: opWalletId,
    wallet_id: row.id,
    token_address: row.token_address,
    enable_yield: row.enable_yield,
    buffer_amount: row.buffer_amount,
    metadata: row.own_metadata,
    created_at: row.own_created_at,
    updated_at: row.own_updated_at,
    created_by_type: row.own_created_by_type,
    created_by_id: row.own_created_by_id,
  })
  return {
    opWallet,
    wallet: walletFrom(row),
    enabledChains,
    settledBlock: settledBlock ?? undefined,
    headBlock: headBlock ?? undefined,
  }
}
