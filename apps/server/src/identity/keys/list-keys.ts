import { ALL_ITEMS, type Page, type PageRequest, readPage } from '../shared/page.ts'
import type { IdentityParts } from '../shared/parts.ts'
import type { ApiKey } from './generate-key.ts'

/** A key with the time and the address of its last use, or `null` if never used. */
export interface ApiKeyWithUsage extends ApiKey {
  readonly lastUsedAt: Date | null
  /** Also `null` if the last use was before addresses were recorded. */
  readonly lastUsedAddress: string | null
}

/** The organization's active keys, newest first. First writes the uses that this process has recorded. */
export async function listKeys(
  parts: Pick<IdentityParts, 'db' | 'clock' | 'usage'>,
  organizationId: number,
  page: PageRequest = ALL_ITEMS,
): Promise<Page<ApiKeyWithUsage>> {
  await parts.usage.flush()
  const keys = parts.db
    .selectFrom('api_keys')
    .select([
      'id',
      'name',
      'scope',
      'wallet_profile_id as walletProfileId',
      'preview as keyPreview',
      'created_at as createdAt',
      'created_by as createdBy',
      'permissions',
      'allowed_addresses as allowedAddresses',
      'expires_at as expiresAt',
      'last_used_at as lastUsedAt',
      'last_used_address as lastUsedAddress',
    ])
    .where('organization_id', '=', organizationId)
    .where('revoked_at', 'is', null)
    .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', parts.clock.now())]))
  return await readPage(parts.db, keys, page, ({ total: _, ...key }: ApiKeyWithUsage & { total?: number }) => key)
}
