import { ALL_ITEMS, type Page, type PageRequest, readPage } from '../shared/page.ts'
import type { IdentityParts } from '../shared/parts.ts'
import type { ApiKey } from './generate-key.ts'

/** A key with the time of its last use, or `null` if never used. */
export interface ApiKeyWithUsage extends ApiKey {
  readonly lastUsedAt: Date | null
}

/** The organization's active keys, newest first. First writes the uses that this process has recorded. */
export async function listKeys(
  parts: Pick<IdentityParts, 'db' | 'usage'>,
  organizationId: number,
  page: PageRequest = ALL_ITEMS,
): Promise<Page<ApiKeyWithUsage>> {
  await parts.usage.flush()
  const keys = parts.db
    .selectFrom('api_keys')
    .select(['id', 'name', 'scope', 'wallet_profile_id', 'preview', 'created_at', 'last_used_at'])
    .where('organization_id', '=', organizationId)
    .where('revoked_at', 'is', null)
  return await readPage(parts.db, keys, page, (row) => ({
    id: row.id,
    name: row.name,
    scope: row.scope,
    walletProfileId: row.wallet_profile_id,
    keyPreview: row.preview,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }))
}
