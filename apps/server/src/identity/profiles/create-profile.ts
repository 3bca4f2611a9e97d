import { type Transact, transactOn } from '../../database/index.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { insertProfile, type WalletProfile } from './insert-profile.ts'
import { type ProfileFields, validateProfileFields } from './profile-fields.ts'

/** A new wallet profile; chains and time-out take their defaults when left out. VALIDATION_ERROR for a malformed field. */
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
