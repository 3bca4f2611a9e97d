import { type Transact, transactOn } from '../database/index.ts'
import { versionConflict } from '../kernel/index.ts'
import type { OperationalWalletWithToken } from './add-operational-wallet.ts'
import { operationalWalletFrom, operationalWalletNotFound } from './operational-wallet.ts'
import type { WalletParts } from './parts.ts'
import { requireConfiguredToken } from './require-configured-token.ts'
import { scheduleEvaluation } from './schedule-evaluation.ts'

/** Omitted fields are unchanged. */
export interface UpdateOperationalWallet {
  readonly organizationId: number
  readonly opWalletId: number
  readonly enableYield?: boolean | undefined
  /** Base units. */
  readonly buffer?: bigint | undefined
  /** When the settings that its author changed were set; absent: whichever they are. */
  readonly basedOn?: Date | undefined
}

/**
 * Changes the buffer or the yield switch of an operational wallet and schedules an evaluation in the same transaction
 * (contract 7 and 10). Errors: WALLET_NOT_FOUND, CHAIN_UNAVAILABLE, CONFLICT with `details.reason` `changed_meanwhile`
 * when the settings are not those that the author changed.
 */
export async function updateOperationalWallet(
  parts: WalletParts,
  { organizationId, opWalletId, enableYield, buffer, basedOn }: UpdateOperationalWallet,
  transact: Transact<OperationalWalletWithToken> = transactOn(parts.db),
): Promise<OperationalWalletWithToken> {
  return transact(async (tx) => {
    const before = await tx
      .selectFrom('operational_wallets')
      .innerJoin('wallets', (join) =>
        join
          .onRef('wallets.organization_id', '=', 'operational_wallets.organization_id')
          .onRef('wallets.id', '=', 'operational_wallets.wallet_id'),
      )
      .select([
        'operational_wallets.token_address',
        'operational_wallets.wallet_id',
        'operational_wallets.updated_at',
        'operational_wallets.enable_yield',
        'operational_wallets.buffer_amount',
        'wallets.blockchain',
      ])
      .where('operational_wallets.organization_id', '=', organizationId)
      .where('operational_wallets.id', '=', opWalletId)
      .forUpdate('operational_wallets')
      .executeTakeFirst()
    if (!before) throw operationalWalletNotFound()
    const setAt = before.updated_at
    if (basedOn !== undefined && basedOn.getTime() !== setAt.getTime())
      throw versionConflict({ updatedAt: setAt.toISOString() })
    const token = requireConfiguredToken(parts.chains, before.blockchain, before.token_address)
    const now = parts.clock.now()
    // A repeated request changes nothing: it ends no pause, and aborts no move that was planned after the first one.
    const isChanged =
      (enableYield ?? before.enable_yield) !== before.enable_yield ||
      (buffer ?? before.buffer_amount) !== before.buffer_amount
    const row = await tx
      .updateTable('operational_wallets')
      .set({
        updated_at: isChanged ? now : setAt,
        ...(enableYield === undefined ? {} : { enable_yield: enableYield }),
        ...(buffer === undefined ? {} : { buffer_amount: buffer }),
      })
      .where('organization_id', '=', organizationId)
      .where('id', '=', opWalletId)
      .returningAll()
      .executeTakeFirstOrThrow()
    await scheduleEvaluation(tx, [{ organizationId, walletId: row.wallet_id, tokenAddress: token.address }], now)
    return { operationalWallet: operationalWalletFrom(row), token }
  })
}
