import { BLOCKCHAINS, type Blockchain } from '../../chains/index.ts'
import { type Transact, type Tx, transactOn } from '../../database/index.ts'
import { type Clock, OPERATION_TIMEOUT_SECONDS } from '../../kernel/index.ts'
import { profileUse } from '../shared/identity-use.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { requireQuota } from '../shared/require-quota.ts'
import { PROFILE_COLUMNS, profileFrom, type WalletProfile } from './profile.ts'
import { type ProfileFields, validateProfileFields } from './profile-fields.ts'

/** Creates a wallet profile; omitted chains and timeout take their defaults. VALIDATION_ERROR for a malformed field, CONFLICT at the quota. */
export async function createProfile(
  parts: Pick<IdentityParts, 'db' | 'clock' | 'quotas'>,
  organizationId: number,
  fields: ProfileFields & { readonly name: string },
  transact: Transact<WalletProfile> = transactOn(parts.db),
): Promise<WalletProfile> {
  const { name = fields.name, ...rest } = validateProfileFields(fields)
  return await transact(async (tx) => {
    await requireQuota(tx, parts, { organizationId, quota: 'walletProfiles', use: profileUse })
    return await insertProfile(tx, parts, { organizationId, name, ...rest })
  })
}

interface NewProfile {
  readonly organizationId: number
  readonly name: string
  readonly isDefault?: boolean
  readonly enabledChains?: readonly Blockchain[]
  readonly operationTimeoutSeconds?: number
}

/** Stores a profile with checked fields; omitted fields take their defaults: all chains, 120 seconds. */
export async function insertProfile(
  tx: Tx,
  parts: { readonly clock: Clock },
  profile: NewProfile,
): Promise<WalletProfile> {
  const row = await tx
    .insertInto('wallet_profiles')
    .values({
      organization_id: profile.organizationId,
      name: profile.name,
      is_default: profile.isDefault ?? false,
      enabled_chains: [...(profile.enabledChains ?? BLOCKCHAINS)],
      operation_timeout_seconds: profile.operationTimeoutSeconds ?? OPERATION_TIMEOUT_SECONDS.default,
      created_at: parts.clock.now(),
    })
    .returning(PROFILE_COLUMNS)
    .executeTakeFirstOrThrow()
  return profileFrom(row)
}
