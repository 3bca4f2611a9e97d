import { type Database, type Transact, transactOn } from '../database/index.ts'
import { Failure } from '../kernel/index.ts'
import { type Wallet, walletFrom } from './wallet.ts'

/** Changes the label of one of the organization's wallets (spec 4.2). Error: WALLET_NOT_FOUND. */
export async function labelWallet(
  parts: { db: Database },
  input: { organizationId: number; walletId: number; label: string },
  transact: Transact<Wallet> = transactOn(parts.db),
): Promise<Wallet> {
  return transact(async (tx) => {
    const row = await tx
      .updateTable('wallets')
      .set({ label: input.label })
      .where('organization_id', '=', input.organizationId)
      .where('id', '=', input.walletId)
      .returningAll()
      .executeTakeFirst()
    if (!row) throw new Failure('WALLET_NOT_FOUND')
    return walletFrom(row)
  })
}
