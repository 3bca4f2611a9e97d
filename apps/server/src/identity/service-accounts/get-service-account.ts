import type { Database, Tx } from '../../database/index.ts'
import type { IdentityParts } from '../shared/parts.ts'
import {
  type ServiceAccount,
  selectServiceAccounts,
  serviceAccountFrom,
  serviceAccountNotFound,
} from './service-account.ts'

/** A service account of the organization. NOT_FOUND if it is deleted or of another organization. */
export async function getServiceAccount(
  { db, clock }: Pick<IdentityParts, 'clock'> & { readonly db: Database | Tx },
  { organizationId, serviceAccountId }: { readonly organizationId: number; readonly serviceAccountId: number },
): Promise<ServiceAccount> {
  const row = await selectServiceAccounts(db, organizationId, clock.now())
    .where('id', '=', serviceAccountId)
    .executeTakeFirst()
  if (row === undefined) throw serviceAccountNotFound()
  return serviceAccountFrom(row)
}
