import type { Tx } from '../../database/index.ts'
import { PROFILE_COLUMNS, profileFrom, type WalletProfile } from './insert-profile.ts'

/**
 * Reads a profile and keeps it from being deleted until the transaction ends. Whoever puts something into a profile (a
 * key, a wallet) calls this first: deletion takes the stronger lock, so that one of the two sees the other's work.
 * `undefined` when the organization has no such profile.
 */
export async function lockProfile(
  tx: Tx,
  organizationId: number,
  profileId: number,
): Promise<WalletProfile | undefined> {
  const row = await tx
    .selectFrom('wallet_profiles')
    .select(PROFILE_COLUMNS)
    .where('organization_id', '=', organizationId)
    .where('id', '=', profileId)
    .where('deleted_at', 'is', null)
    .forKeyShare()
    .executeTakeFirst()
  return row && profileFrom(row)
}
