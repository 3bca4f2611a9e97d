import { Failure } from '../../kernel/index.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { PROFILE_COLUMNS, profileFrom, type WalletProfile } from './profile.ts'

/** One wallet profile. NOT_FOUND when it is another organization's or was deleted. */
export async function getProfile(
  parts: Pick<IdentityParts, 'db'>,
  organizationId: number,
  profileId: number,
): Promise<WalletProfile> {
  const row = await parts.db
    .selectFrom('wallet_profiles')
    .select(PROFILE_COLUMNS)
    .where('organization_id', '=', organizationId)
    .where('id', '=', profileId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) throw profileNotFound()
  return profileFrom(row)
}

export function profileNotFound(): Failure {
  return new Failure('NOT_FOUND', { message: 'The wallet profile does not exist.' })
}
