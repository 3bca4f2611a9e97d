import type { Database } from '../../database/index.ts'
import { isOneOfWallets, type OperationalWalletId } from '../../wallets/index.ts'

/** What an operational wallet has requested back from one strategy and not claimed, as last read. Base units. */
export interface WalletExit {
  readonly strategyId: number
  readonly name: string
  readonly pending: bigint
  readonly claimable: bigint
  readonly claimableAt: Date | null
  /** When the ledger last posted a change of it, by the clock of the service; absent: it has posted none. */
  readonly updatedAt?: Date | undefined
}

/** The open exits of operational wallets in their tokens, by the ids of the wallets. One statement. */
export async function readWalletExits(
  db: Database,
  wallets: readonly OperationalWalletId[],
): Promise<ReadonlyMap<number, readonly WalletExit[]>> {
  if (wallets.length === 0) return new Map()
  const rows = await db
    .selectFrom('operational_wallets')
    .innerJoin('exits', (join) =>
      join
        .onRef('exits.organization_id', '=', 'operational_wallets.organization_id')
        .onRef('exits.wallet_id', '=', 'operational_wallets.wallet_id'),
    )
    .innerJoin('strategies', (join) =>
      join
        .onRef('strategies.id', '=', 'exits.strategy_id')
        .onRef('strategies.token_address', '=', 'operational_wallets.token_address'),
    )
    .select([
      'operational_wallets.id as op_wallet_id',
      'exits.strategy_id',
      'exits.pending',
      'exits.claimable',
      'exits.claimable_at',
      'exits.updated_at',
      'strategies.name',
    ])
    .where(isOneOfWallets('operational_wallets', wallets))
    .where('exits.state', '<>', 'claimed')
    .orderBy('exits.id')
    .execute()
  const byWallet = Map.groupBy(rows, ({ op_wallet_id }) => op_wallet_id)
  return new Map(
    [...byWallet].map(([id, own]) => [
      id,
      own.map((row) => ({
        strategyId: row.strategy_id,
        name: row.name,
        pending: row.pending,
        claimable: row.claimable,
        claimableAt: row.claimable_at,
        updatedAt: row.updated_at,
      })),
    ]),
  )
}
