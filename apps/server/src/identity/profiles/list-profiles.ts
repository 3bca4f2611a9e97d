import { ALL_ITEMS, type Page, type PageRequest, readPage } from '../shared/page.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { PROFILE_COLUMNS, profileFrom, type WalletProfile } from './profile.ts'

/** The organization's wallet profiles, newest first. */
export async function listProfiles(
  parts: Pick<IdentityParts, 'db'>,
  organizationId: number,
  page: PageRequest = ALL_ITEMS,
): Promise<Page<WalletProfile>> {
  const profiles = parts.db
    .selectFrom('wallet_profiles')
    .select(PROFILE_COLUMNS)
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
  return await readPage(parts.db, profiles, page, profileFrom)
}
