import { sql } from 'kysely'
import { beginningWith, type KeyScope } from '../../database/index.ts'
import { ALL_ITEMS, type Page, type PageRequest, readPage } from '../shared/page.ts'
import type { IdentityParts } from '../shared/parts.ts'
import type { ApiKey } from './generate-key.ts'
import { PREVIEW_LENGTH } from './key-material.ts'

/** A key with the time and the address of its last use, or `null` if never used. */
export interface ApiKeyWithUsage extends ApiKey {
  readonly lastUsedAt: Date | null
  /** Also `null` if the last use was before addresses were recorded. */
  readonly lastUsedAddress: string | null
}

interface KeyFilter {
  /** The beginning of a word of the name, in any case, or the last characters of the key. */
  readonly text?: string | undefined
  readonly scope?: KeyScope | undefined
}

/** The organization's active keys that match, newest first. First writes the uses that this process has recorded. */
export async function listKeys(
  parts: Pick<IdentityParts, 'db' | 'clock' | 'usage'>,
  organizationId: number,
  page: PageRequest = ALL_ITEMS,
  { text, scope }: KeyFilter = {},
): Promise<Page<ApiKeyWithUsage>> {
  await parts.usage.flush()
  let keys = parts.db
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
  if (text !== undefined)
    keys = keys.where(
      sql<boolean>`(' ' || lower(name) like '% ' || ${beginningWith(text)} or ${text} in (preview, right(preview, ${PREVIEW_LENGTH})))`,
    )
  if (scope !== undefined) keys = keys.where('scope', '=', scope)
  return await readPage(parts.db, keys, page, ({ total: _, ...key }: ApiKeyWithUsage & { total?: number }) => key)
}
