import { ALL_ITEMS, type Page, type PageRequest, readPage } from '../shared/page.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { type ServiceAccount, selectServiceAccounts, serviceAccountFrom } from './service-account.ts'

/** The organization's service accounts, newest first. */
export async function listServiceAccounts(
  { db, clock }: Pick<IdentityParts, 'db' | 'clock'>,
  organizationId: number,
  page: PageRequest = ALL_ITEMS,
): Promise<Page<ServiceAccount>> {
  return await readPage(db, selectServiceAccounts(db, organizationId, clock.now()), page, serviceAccountFrom)
}
