import { type Transact, type Tx, transactOn } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { profileNotFound } from './get-profile.ts'

/**
 * Deletes a wallet profile and disables its keys in the same transaction. NOT_FOUND; CONFLICT for the default profile
 * and for one that still has wallets (contract 3).
 */
export async function deleteProfile(
  parts: Pick<IdentityParts, 'db' | 'clock'>,
  organizationId: number,
  profileId: number,
  transact: Transact<void> = transactOn(parts.db),
): Promise<void> {
  await transact(async (tx) => {
    const profile = await lockProfileForDelete(tx, organizationId, profileId)
    if (profile === undefined) throw profileNotFound()
    if (profile.is_default) throw new Failure('CONFLICT', { message: 'The default profile cannot be deleted.' })
    if (await hasWallets(tx, organizationId, profileId)) {
      throw new Failure('CONFLICT', { message: 'The wallet profile still has wallets.' })
    }
    const now = parts.clock.now()
    await tx
      .updateTable('wallet_profiles')
      .set({ deleted_at: now })
      .where('organization_id', '=', organizationId)
      .where('id', '=', profileId)
      .execute()
    await tx
      .updateTable('api_keys')
      .set({ revoked_at: now })
      .where('organization_id', '=', organizationId)
      .where('wallet_profile_id', '=', profileId)
      .where('revoked_at', 'is', null)
      .execute()
  })
}

/** Waits for everyone who is adding a key or a wallet to the profile, and blocks new ones. */
async function lockProfileForDelete(tx: Tx, organizationId: number, profileId: number) {
  return await tx
    .selectFrom('wallet_profiles')
    .select('is_default')
    .where('organization_id', '=', organizationId)
    .where('id', '=', profileId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

async function hasWallets(tx: Tx, organizationId: number, profileId: number): Promise<boolean> {
  const wallet = await tx
    .selectFrom('wallets')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('wallet_profile_id', '=', profileId)
    .limit(1)
    .executeTakeFirst()
  return wallet !== undefined
}
