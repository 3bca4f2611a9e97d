import type { Token } from '../chains/index.ts'
import { type Transact, transactOn } from '../database/index.ts'
import { type Actor, creatorColumns } from '../identity/index.ts'
import { Failure } from '../kernel/index.ts'
import { openAccounts } from '../ledger/index.ts'
import type { WalletToken } from './find-wallet-token.ts'
import { type OperationalWallet, operationalWalletFrom } from './operational-wallet.ts'
import type { WalletParts } from './parts.ts'

export interface AddOperationalWallet extends WalletToken {
  readonly enableYield: boolean
  /** Base units. */
  readonly buffer: bigint
  readonly metadata?: Record<string, unknown> | null | undefined
  /** Who adds it. */
  readonly createdBy?: Actor
}

/** An operational wallet with its token. */
export interface OperationalWalletWithToken {
  readonly operationalWallet: OperationalWallet
  readonly token: Token
}

/**
 * Makes one token of a wallet an operational wallet and schedules its first evaluation (contract 7 and 10).
 *
 * Error: CONFLICT (operational already).
 */
export async function addOperationalWallet(
  parts: WalletParts,
  input: AddOperationalWallet,
  transact: Transact<OperationalWalletWithToken> = transactOn(parts.db),
): Promise<OperationalWalletWithToken> {
  const { organizationId, walletId, token } = input
  return transact(async (tx) => {
    const now = parts.clock.now()
    const row = await tx
      .insertInto('operational_wallets')
      .values({
        organization_id: organizationId,
        wallet_id: walletId,
        token_address: token.address,
        enable_yield: input.enableYield,
        buffer_amount: input.buffer,
        metadata: input.metadata ? JSON.stringify(input.metadata) : null,
        due_at: now,
        created_at: now,
        updated_at: now,
        ...creatorColumns(input.createdBy),
      })
      .onConflict((conflict) => conflict.columns(['organization_id', 'wallet_id', 'token_address']).doNothing())
      .returningAll()
      .executeTakeFirst()
    if (!row) throw new Failure('CONFLICT', { message: `This wallet is already monitored for ${token.symbol}.` })
    await openAccounts(tx, { organizationId, walletId }, [token.address])
    return { operationalWallet: operationalWalletFrom(row), token }
  })
}
