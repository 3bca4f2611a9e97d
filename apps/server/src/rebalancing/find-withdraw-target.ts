import { Failure } from '../kernel/index.ts'
import { feeWarning } from '../venues/index.ts'
import { operationalWalletOf } from '../wallets/index.ts'
import type { RebalanceParts } from './parts.ts'

/** A position to withdraw from, with its token. */
export interface WithdrawTarget {
  readonly organizationId: number
  readonly opWalletId: number
  readonly strategyId: number
  readonly walletId: number
  readonly address: string
  readonly token: { readonly symbol: string; readonly decimals: number }
  /** What speaks against it: a fee that the vault keeps. */
  readonly warnings: readonly string[]
}

/**
 * Finds the position of an allocation for a withdrawal. Errors: ALLOCATION_NOT_FOUND; INVALID_OPERATION_STATUS when it
 * is closed; CONFLICT when its wallet is not an operational wallet.
 */
export async function findWithdrawTarget(
  parts: Pick<RebalanceParts, 'db'>,
  { organizationId, allocationId }: { readonly organizationId: number; readonly allocationId: number },
): Promise<WithdrawTarget> {
  const row = await parts.db
    .selectFrom('allocations')
    .innerJoin('strategies', 'strategies.id', 'allocations.strategy_id')
    .innerJoin('wallets', (join) =>
      join
        .onRef('wallets.organization_id', '=', 'allocations.organization_id')
        .onRef('wallets.id', '=', 'allocations.wallet_id'),
    )
    .select([
      'allocations.wallet_id',
      'wallets.address',
      'allocations.strategy_id',
      'allocations.status',
      'strategies.token_address',
      'strategies.token',
      'strategies.token_decimals',
      'strategies.entry_fee_bps as entryFeeBps',
      'strategies.exit_fee_bps as exitFeeBps',
    ])
    .where('allocations.organization_id', '=', organizationId)
    .where('allocations.id', '=', allocationId)
    .executeTakeFirst()
  if (!row) throw new Failure('ALLOCATION_NOT_FOUND', { message: 'There is no allocation with this id.' })
  if (row.status === 'CLOSED') {
    throw new Failure('INVALID_OPERATION_STATUS', { message: 'The allocation is closed: nothing is left in it.' })
  }
  const opWallet = await operationalWalletOf(parts.db, {
    organizationId,
    walletId: row.wallet_id,
    tokenAddress: row.token_address,
  })
  if (!opWallet) {
    throw new Failure('CONFLICT', { message: 'The wallet of this allocation is not monitored: add it first.' })
  }
  return {
    organizationId,
    opWalletId: opWallet.opWalletId,
    strategyId: row.strategy_id,
    walletId: row.wallet_id,
    address: row.address,
    token: { symbol: row.token, decimals: row.token_decimals },
    warnings: [feeWarning(row, 'exit')].filter((text) => text !== undefined),
  }
}
