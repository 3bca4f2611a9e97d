import { type Transact, type Tx, transactOn } from '../../database/index.ts'
import { API_KEY_OVERLAP_SECONDS, addMilliseconds, Failure } from '../../kernel/index.ts'
import { lockProfile } from '../profiles/lock-profile.ts'
import { apiKeyUse } from '../shared/identity-use.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { requireQuota } from '../shared/require-quota.ts'
import { type ApiKeyWithSecret, storeKey } from './generate-key.ts'

export interface KeyRotation {
  readonly organizationId: number
  readonly keyId: number
  /** How long the old key still works; a day by default. */
  readonly overlapSeconds?: number | undefined
  /** The user who requests it. */
  readonly createdBy?: number
}

/**
 * Creates a key with the same name and rights; the old one expires after the overlap. A key with an expiry is replaced
 * by one with the same lifetime, counted from now.
 *
 * Errors: NOT_FOUND (unknown, revoked or expired), CONFLICT (already rotated, or at the quota, unless without overlap).
 */
export async function rotateKey(
  parts: Pick<IdentityParts, 'db' | 'clock' | 'random' | 'secrets' | 'environment' | 'quotas'>,
  { organizationId, keyId, overlapSeconds = API_KEY_OVERLAP_SECONDS, createdBy }: KeyRotation,
  transact: Transact<ApiKeyWithSecret> = transactOn(parts.db),
): Promise<ApiKeyWithSecret> {
  return await transact(async (tx) => {
    // Without an overlap the new key takes the place of the old one: a leaked key can be rotated at the quota.
    if (overlapSeconds > 0) await requireQuota(tx, parts, { organizationId, quota: 'apiKeys', use: apiKeyUse })
    const now = parts.clock.now()
    const old = await lockKey(tx, { organizationId, keyId }, now)
    if (old.replaced_by !== null) throw new Failure('CONFLICT', { message: 'The API key was already rotated.' })
    const { expires_at: end, created_at: start } = old
    const rights = {
      scope: old.scope,
      walletProfileId: old.wallet_profile_id,
      permissions: old.permissions,
      allowedAddresses: old.allowed_addresses,
      expiresAt: end === null ? null : addMilliseconds(now, end.getTime() - start.getTime()),
    }
    const key = await storeKey(tx, parts, { organizationId, name: old.name, createdBy: createdBy ?? null, rights })
    const overlapEnd = addMilliseconds(now, overlapSeconds * 1_000)
    await tx
      .updateTable('api_keys')
      .set({ replaced_by: key.id, expires_at: end !== null && end < overlapEnd ? end : overlapEnd })
      .where('organization_id', '=', organizationId)
      .where('id', '=', keyId)
      .execute()
    return key
  })
}

/**
 * Locks a key that works, after its profile: a profile that is being deleted revokes the keys that it sees, and would
 * miss the new one.
 */
async function lockKey(tx: Tx, { organizationId, keyId }: Pick<KeyRotation, 'organizationId' | 'keyId'>, now: Date) {
  const working = tx
    .selectFrom('api_keys')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', keyId)
    .where('revoked_at', 'is', null)
    .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', now)]))
  const profileId = (await working.executeTakeFirst())?.wallet_profile_id ?? null
  const isProfileGone = profileId !== null && !(await lockProfile(tx, organizationId, profileId))
  const key = isProfileGone ? undefined : await working.forUpdate().executeTakeFirst()
  if (key === undefined) throw new Failure('NOT_FOUND', { message: 'The API key does not exist.' })
  return key
}
