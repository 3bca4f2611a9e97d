import { type Database, type Transact, type Tx, transactOn } from '../database/index.ts'
import type { Scope } from '../identity/index.ts'
import { Failure } from '../kernel/index.ts'
import { type Wallet, walletFrom } from './wallet.ts'

/** `undefined` leaves a field unchanged, `null` clears it; metadata is replaced as a whole (contract 6). */
export interface WalletUpdate {
  readonly userId?: string | null | undefined
  readonly orgMetadata?: Record<string, unknown> | null | undefined
}

interface WalletUpdateInput {
  readonly scope: Scope
  readonly walletId: number
  readonly change: WalletUpdate
}

/** Changes the organization's own data about a wallet. Error: WALLET_NOT_FOUND. */
export async function updateWallet(
  db: Database,
  { scope, walletId, change }: WalletUpdateInput,
  transact: Transact<Wallet> = transactOn(db),
): Promise<Wallet> {
  return transact((tx) => update(tx, { scope, walletId, change }))
}

async function update(tx: Tx, { scope, walletId, change }: WalletUpdateInput): Promise<Wallet> {
  let query = tx
    .updateTable('wallets')
    // An update needs at least one column; this one keeps its value.
    .set((eb) => ({ label: eb.ref('label') }))
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', walletId)
  if (scope.walletProfileId !== null) query = query.where('wallet_profile_id', '=', scope.walletProfileId)
  if (change.userId !== undefined) query = query.set({ user_id: change.userId })
  if (change.orgMetadata !== undefined) {
    query = query.set({ org_metadata: change.orgMetadata === null ? null : JSON.stringify(change.orgMetadata) })
  }
  const row = await query.returningAll().executeTakeFirst()
  if (!row) throw new Failure('WALLET_NOT_FOUND')
  return walletFrom(row)
}
