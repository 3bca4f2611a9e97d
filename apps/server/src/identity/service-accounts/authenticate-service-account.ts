import { sql } from 'kysely'
import { preparedQuery } from '../../database/index.ts'
import { isAddressAllowed } from '../keys/allowed-addresses.ts'
import { environmentOfAccountSecret, secretHashes } from '../keys/key-material.ts'
import type { ServiceAccountCredential } from '../shared/credential.ts'
import type { IdentityParts } from '../shared/parts.ts'

/** The result of checking a presented secret. `unknown` includes every secret of the other environment. */
export type AccountSecretCheck =
  | { readonly status: 'valid'; readonly credential: ServiceAccountCredential }
  | { readonly status: 'unknown' }
  | {
      readonly status: 'deleted' | 'expired' | 'address-not-allowed' | 'organization-deleted'
      readonly account: { readonly organizationId: number; readonly id: number }
    }

const accountOfHash = preparedQuery('authenticate service account', (db, placeholder: (name: 'hashes') => never) =>
  db
    .selectFrom('service_account_secrets as secret')
    .innerJoin('service_accounts as account', (join) =>
      join
        .onRef('account.organization_id', '=', 'secret.organization_id')
        .onRef('account.id', '=', 'secret.service_account_id'),
    )
    .innerJoin('organizations', 'organizations.id', 'secret.organization_id')
    .select([
      'secret.organization_id',
      'secret.id as secret_id',
      'secret.pepper_id',
      'secret.expires_at',
      'secret.created_by',
      'account.id',
      'account.role',
      'account.allowed_addresses',
      'account.deleted_at',
      'organizations.deleted_at as organization_deleted_at',
      'organizations.rate_limits',
    ])
    .where('secret.secret_hash', '=', sql<Buffer>`any(${placeholder('hashes')}::bytea[])`),
)

/**
 * Looks up a secret by its hash under each pepper of the ring: one statement on a unique index. Nothing is cached, so an
 * account deleted anywhere is refused everywhere from the next request on. `from` is the caller's address; an account
 * with an allow-list does not work without it. Records the use of a valid secret.
 */
export async function authenticateServiceAccount(
  parts: Pick<IdentityParts, 'db' | 'clock' | 'secrets' | 'environment' | 'usage'>,
  presented: string,
  from?: string,
): Promise<AccountSecretCheck> {
  if (environmentOfAccountSecret(presented) !== parts.environment) return { status: 'unknown' }
  const { pepper } = parts.secrets
  const hashes = secretHashes(pepper, presented)
  const [row] = await accountOfHash(parts.db, { hashes })
  if (row === undefined) return { status: 'unknown' }
  const { organization_id: organizationId, id } = row
  const account = { organizationId, id }
  if (row.organization_deleted_at !== null) return { status: 'organization-deleted', account }
  if (row.deleted_at !== null) return { status: 'deleted', account }
  if (row.expires_at !== null && row.expires_at <= parts.clock.now()) return { status: 'expired', account }
  if (row.allowed_addresses !== null && !isAddressAllowed(row.allowed_addresses, from))
    return { status: 'address-not-allowed', account }
  const moved = row.pepper_id === pepper.currentId ? {} : { rehashed: { pepperId: pepper.currentId, hash: hashes[0]! } }
  parts.usage.record({
    organizationId,
    keyId: row.secret_id,
    isAccountSecret: true,
    address: from ?? null,
    ...moved,
  })
  return {
    status: 'valid',
    credential: {
      kind: 'service_account',
      organizationId,
      serviceAccountId: id,
      role: row.role,
      heldBy: row.created_by,
      rateLimitOverrides: row.rate_limits,
    },
  }
}
