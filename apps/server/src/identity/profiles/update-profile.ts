import { type Transact, transactOn } from '../../database/index.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { getProfile, profileNotFound } from './get-profile.ts'
import { PROFILE_COLUMNS, profileFrom, type WalletProfile } from './profile.ts'
import { type ProfileFields, validateProfileFields } from './profile-fields.ts'

export interface UpdateProfileInput {
  readonly organizationId: number
  readonly profileId: number
  readonly fields: ProfileFields
}

/**
 * Changes a wallet profile; omitted fields are unchanged. It applies to registrations and plans from now on: open plans
 * keep their timeout. NOT_FOUND, VALIDATION_ERROR.
 */
export async function updateProfile(
  parts: Pick<IdentityParts, 'db'>,
  { organizationId, profileId, fields }: UpdateProfileInput,
  transact: Transact<WalletProfile> = transactOn(parts.db),
): Promise<WalletProfile> {
  const { name, enabledChains, operationTimeoutSeconds } = validateProfileFields(fields)
  const columns = {
    ...(name === undefined ? {} : { name }),
    ...(enabledChains === undefined ? {} : { enabled_chains: [...enabledChains] }),
    ...(operationTimeoutSeconds === undefined ? {} : { operation_timeout_seconds: operationTimeoutSeconds }),
  }
  if (Object.keys(columns).length === 0) return await getProfile(parts, organizationId, profileId)
  return await transact(async (tx) => {
    const row = await tx
      .updateTable('wallet_profiles')
      .set(columns)
      .where('organization_id', '=', organizationId)
      .where('id', '=', profileId)
      .where('deleted_at', 'is', null)
      .returning(PROFILE_COLUMNS)
      .executeTakeFirst()
    if (row === undefined) throw profileNotFound()
    return profileFrom(row)
  })
}
