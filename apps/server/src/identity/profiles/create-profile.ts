import { type Transact, transactOn } from '../../database/index.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { insertProfile, type WalletProfile } from './insert-profile.ts'
import { type ProfileFields, validateProfileFields } from './profile-fields.ts'

/** Creates a wallet profile; omitted chains and timeout take their defaults. VALIDATION_ERROR for a malformed field. */
export async function createProfile(
  parts: Pick<IdentityParts, 'db' | 'clock'>,
  organizationId: number,
  fields: ProfileFields & { readonly name: string },
  transact: Transact<WalletProfile> = transactOn(parts.db),
): Promise<WalletProfile> {
  const { name = fields.name, ...rest } = validateProfileFields(fields)
  return await transact(async (tx) => {
    return await insertProfile(tx, parts, { organizationId, name, ...rest })
  })
}
