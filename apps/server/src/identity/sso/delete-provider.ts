import { type Transact, transactOn } from '../../database/index.ts'
import type { UserCredential } from '../shared/credential.ts'
import { lockOrganization } from '../shared/lock-organization.ts'
import type { SsoParts } from './parts.ts'
import { readProvider } from './provider.ts'

/**
 * Deletes an identity provider: nobody signs in there from now on, and passwords work again for its domains. Its domains
 * stay proved. Open sessions and the links of members to their accounts stay, in case it is added again. NOT_FOUND.
 */
export async function deleteProvider(
  parts: Pick<SsoParts, 'db' | 'clock'>,
  actor: UserCredential,
  providerId: number,
  transact: Transact<void> = transactOn(parts.db),
): Promise<void> {
  await transact(async (tx) => {
    const { organizationId } = actor
    await lockOrganization(tx, organizationId)
    await readProvider(tx, { organizationId, providerId })
    await tx
      .updateTable('sso_domains')
      .set({ provider_id: null })
      .where('organization_id', '=', organizationId)
      .where('provider_id', '=', providerId)
      .execute()
    await tx
      .updateTable('sso_providers')
      .set({ deleted_at: parts.clock.now(), client_secret: Buffer.alloc(0) })
      .where('organization_id', '=', organizationId)
      .where('id', '=', providerId)
      .execute()
  })
}
