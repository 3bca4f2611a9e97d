import { PROFILE_COLUMNS, profileOf, type WalletProfile } from './insert-profile.ts'
import { type Page, type PageRequest, readPage, WHOLE_LIST } from './page.ts'
import type { IdentityParts } from './parts.ts'

/** The organization's wallet profiles, newest first. */
export async function listProfiles(
  parts: Pick<IdentityParts, 'db'>,
  organizationId: number,
  page: PageRequest = WHOLE_LIST,
): Promise<Page<WalletProfile>> {
  const profiles = parts.db
    .selectFrom('wallet_profiles')
    .select(PROFILE_COLUMNS)
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
  return await readPage(parts.db, profiles, page, profileOf)
}
