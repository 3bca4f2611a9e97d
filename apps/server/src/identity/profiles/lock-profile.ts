import type { Tx } from '../../database/index.ts'
import { PROFILE_COLUMNS, profileFrom, type WalletProfile } from './profile.ts'

/**
 * Reads a profile and prevents its deletion until the transaction ends. Call it before adding a key or a wallet to a
 * profile: deletion takes the stronger lock, so one of the two sees the other's work. `undefined` when the organization
 * has no such profile.
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
