import { type KeyPermission, type KeyScope, type Transact, type Tx, transactOn } from '../../database/index.ts'
import { validationError } from '../../kernel/index.ts'
import { profileNotFound } from '../profiles/get-profile.ts'
import { lockProfile } from '../profiles/lock-profile.ts'
import { apiKeyUse } from '../shared/identity-use.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { requireQuota } from '../shared/require-quota.ts'
import { validateName } from '../shared/validate-text.ts'
import { validateAllowedAddresses } from './allowed-addresses.ts'
import { createKeyMaterial } from './key-material.ts'
import { validatePermissions } from './key-permissions.ts'

/** A key without its secret. `walletProfileId` is set for profile-scoped keys only. */
export interface ApiKey {
  readonly id: number
  readonly name: string
  readonly scope: KeyScope
  readonly walletProfileId: number | null
  readonly keyPreview: string
  readonly createdAt: Date
  /** The user who generated it; `null` for keys of earlier versions. */
  readonly createdBy: number | null
  /** `null`: everything that its scope allows. */
  readonly permissions: readonly KeyPermission[] | null
  /** Networks (CIDR) that it may be used from; `null`: any. */
  readonly allowedAddresses: readonly string[] | null
  /** `null`: never. */
  readonly expiresAt: Date | null
}

/** With the key itself, which is shown only once. */
export interface ApiKeyWithSecret extends ApiKey {
  readonly apiKey: string
}

export interface KeyRequest {
  readonly organizationId: number
  readonly name: string
  readonly walletProfileId?: number
  readonly isAdmin?: boolean
  readonly permissions?: readonly KeyPermission[]
  readonly allowedAddresses?: readonly string[]
  readonly expiresAt?: Date
  /** The user who asks for it. */
  readonly createdBy?: number
}

/** The rights of a key, as they are stored. */
export type KeyRights = Pick<ApiKey, 'scope' | 'walletProfileId' | 'permissions' | 'allowedAddresses' | 'expiresAt'>

type KeyParts = Pick<IdentityParts, 'clock' | 'random' | 'secrets' | 'environment'>

/**
 * Creates a key: profile-scoped with `walletProfileId`, admin with `isAdmin`, otherwise an organization key (contract
 * 3). VALIDATION_ERROR when both are set, for permissions that the scope does not have, for a malformed address and for
 * an expiry in the past; NOT_FOUND for a profile of another organization; CONFLICT at the quota.
 */
export async function generateKey(
  parts: KeyParts & Pick<IdentityParts, 'db' | 'quotas'>,
  request: KeyRequest,
  transact: Transact<ApiKeyWithSecret> = transactOn(parts.db),
): Promise<ApiKeyWithSecret> {
  return await transact(async (tx) => {
    const { organizationId } = request
    await requireQuota(tx, parts, { organizationId, quota: 'apiKeys', use: apiKeyUse })
    return await insertKey(tx, parts, request)
  })
}

/** The same within the caller's transaction, without the quota. Errors: VALIDATION_ERROR, NOT_FOUND. */
export async function insertKey(tx: Tx, parts: KeyParts, request: KeyRequest): Promise<ApiKeyWithSecret> {
  const { organizationId, walletProfileId, isAdmin = false, permissions, allowedAddresses, expiresAt } = request
  const name = validateName('name', request.name)
  if (isAdmin && walletProfileId !== undefined) {
    throw validationError('isAdmin', 'an admin key sees the whole organization and cannot be tied to a walletProfileId')
  }
  if (walletProfileId !== undefined && !(await lockProfile(tx, organizationId, walletProfileId))) {
    throw profileNotFound()
  }
  if (expiresAt !== undefined && !(expiresAt > parts.clock.now())) {
    throw validationError('expiresAt', 'must be in the future')
  }
  const scope = isAdmin ? 'admin' : walletProfileId === undefined ? 'organization' : 'profile'
  const rights = {
    scope,
    walletProfileId: walletProfileId ?? null,
    permissions: permissions === undefined ? null : validatePermissions(scope, permissions),
    allowedAddresses: allowedAddresses === undefined ? null : validateAllowedAddresses(allowedAddresses),
    expiresAt: expiresAt ?? null,
  } as const
  return storeKey(tx, parts, { organizationId, name, createdBy: request.createdBy ?? null, rights })
}

/** Stores a new key with rights that were checked before. */
export async function storeKey(
  tx: Tx,
  parts: KeyParts,
  key: {
    readonly organizationId: number
    readonly name: string
    readonly createdBy: number | null
    readonly rights: KeyRights
  },
): Promise<ApiKeyWithSecret> {
  const { organizationId, name, createdBy, rights } = key
  const { text: apiKey, hash: keyHash, preview: keyPreview } = createKeyMaterial(parts)
  const row = await tx
    .insertInto('api_keys')
    .values({
      organization_id: organizationId,
      name,
      scope: rights.scope,
      wallet_profile_id: rights.walletProfileId,
      key_hash: keyHash,
      pepper_id: parts.secrets.pepper.currentId,
      preview: keyPreview,
      created_at: parts.clock.now(),
      created_by: createdBy,
      permissions: rights.permissions === null ? null : [...rights.permissions],
      allowed_addresses: rights.allowedAddresses === null ? null : [...rights.allowedAddresses],
      expires_at: rights.expiresAt,
    })
    .returning(['id', 'created_at as createdAt'])
    .executeTakeFirstOrThrow()
  return { ...rights, ...row, apiKey, name, keyPreview, createdBy }
}
