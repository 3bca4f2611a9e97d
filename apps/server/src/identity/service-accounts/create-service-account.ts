import { type ServiceAccountRole, type Transact, transactOn } from '../../database/index.ts'
import { validationError } from '../../kernel/index.ts'
import { validateAllowedAddresses } from '../keys/allowed-addresses.ts'
import { apiKeyUse } from '../shared/identity-use.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { requireQuota } from '../shared/require-quota.ts'
import { validateName } from '../shared/validate-text.ts'
import { getServiceAccount } from './get-service-account.ts'
import type { ServiceAccountWithSecret } from './service-account.ts'
import { storeSecret } from './store-secret.ts'

export interface ServiceAccountRequest {
  readonly organizationId: number
  readonly name: string
  readonly role: ServiceAccountRole
  readonly allowedAddresses?: readonly string[] | undefined
  /** When its first secret expires; absent: never. */
  readonly expiresAt?: Date | undefined
  /** The user who asks for it, and receives the secret. */
  readonly createdBy: number
}

/**
 * Creates a service account with its first secret. VALIDATION_ERROR for a malformed name or address, and for an expiry
 * in the past; CONFLICT at the quota, which it shares with the API keys.
 */
export async function createServiceAccount(
  parts: Pick<IdentityParts, 'db' | 'clock' | 'random' | 'secrets' | 'environment' | 'quotas'>,
  request: ServiceAccountRequest,
  transact: Transact<ServiceAccountWithSecret> = transactOn(parts.db),
): Promise<ServiceAccountWithSecret> {
  const { organizationId, role, allowedAddresses, expiresAt, createdBy } = request
  const name = validateName('name', request.name)
  const networks = allowedAddresses === undefined ? null : validateAllowedAddresses(allowedAddresses)
  if (expiresAt !== undefined && !(expiresAt > parts.clock.now()))
    throw validationError('expiresAt', 'must be in the future')
  return await transact(async (tx) => {
    await requireQuota(tx, parts, { organizationId, quota: 'apiKeys', use: apiKeyUse })
    const { id } = await tx
      .insertInto('service_accounts')
      .values({
        organization_id: organizationId,
        name,
        role,
        allowed_addresses: networks,
        created_at: parts.clock.now(),
        created_by: createdBy,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const owned = { organizationId, serviceAccountId: id }
    const secret = await storeSecret(tx, parts, { ...owned, createdBy, expiresAt: expiresAt ?? null })
    return { ...(await getServiceAccount({ ...parts, db: tx }, owned)), secret }
  })
}
