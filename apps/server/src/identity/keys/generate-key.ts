import { type KeyScope, type Transact, type Tx, transactOn } from '../../database/index.ts'
import { validationError } from '../../kernel/index.ts'
import { profileNotFound } from '../profiles/get-profile.ts'
import { lockProfile } from '../profiles/lock-profile.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { validateName } from '../shared/validate-text.ts'
import { createKeyMaterial } from './key-material.ts'

/** A key without its secret. `walletProfileId` is set for profile-scoped keys only. */
export interface ApiKey {
  readonly id: number
  readonly name: string
  readonly scope: KeyScope
  readonly walletProfileId: number | null
  readonly keyPreview: string
  readonly createdAt: Date
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
}

type KeyParts = Pick<IdentityParts, 'clock' | 'random' | 'secrets' | 'environment'>

/**
 * Creates a key: profile-scoped with `walletProfileId`, admin with `isAdmin`, otherwise an organization key (contract
 * 3). VALIDATION_ERROR when both are set, NOT_FOUND for a profile of another organization.
 */
export async function generateKey(
  parts: KeyParts & Pick<IdentityParts, 'db'>,
  request: KeyRequest,
  transact: Transact<ApiKeyWithSecret> = transactOn(parts.db),
): Promise<ApiKeyWithSecret> {
  return await transact(async (tx) => {
    return await insertKey(tx, parts, request)
  })
}

/** The same within the caller's transaction. */
export async function insertKey(tx: Tx, parts: KeyParts, request: KeyRequest): Promise<ApiKeyWithSecret> {
  const { organizationId, walletProfileId, isAdmin = false } = request
  const name = validateName('name', request.name)
  if (isAdmin && walletProfileId !== undefined) {
    throw validationError('isAdmin', 'an admin key sees the whole organization and cannot be tied to a walletProfileId')
  }
  if (walletProfileId !== undefined && !(await lockProfile(tx, organizationId, walletProfileId))) {
    throw profileNotFound()
  }
  const { apiKey, keyHash, keyPreview } = createKeyMaterial(parts.random, parts.environment, parts.secrets.pepper)
  const row = await tx
    .insertInto('api_keys')
    .values({
      organization_id: organizationId,
      name,
      scope: isAdmin ? 'admin' : walletProfileId === undefined ? 'organization' : 'profile',
      wallet_profile_id: walletProfileId ?? null,
      key_hash: keyHash,
      preview: keyPreview,
      created_at: parts.clock.now(),
    })
    .returning(['id', 'scope', 'wallet_profile_id as walletProfileId', 'created_at as createdAt'])
    .executeTakeFirstOrThrow()
  return { ...row, apiKey, name, keyPreview }
}
