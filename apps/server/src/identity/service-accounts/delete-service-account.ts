import { type Transact, transactOn } from '../../database/index.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { serviceAccountNotFound } from './service-account.ts'

/**
 * Deletes a service account: every process refuses its secrets from the next request on. NOT_FOUND for one of another
 * organization or one already deleted.
 */
export async function deleteServiceAccount(
  parts: Pick<IdentityParts, 'db' | 'clock'>,
  { organizationId, serviceAccountId }: { readonly organizationId: number; readonly serviceAccountId: number },
  transact: Transact<void> = transactOn(parts.db),
): Promise<void> {
  await transact(async (tx) => {
    const deleted = await tx
      .updateTable('service_accounts')
      .set({ deleted_at: parts.clock.now() })
      .where('organization_id', '=', organizationId)
      .where('id', '=', serviceAccountId)
      .where('deleted_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (deleted === undefined) throw serviceAccountNotFound()
  })
}
