import type { Database } from '../../src/database/index.ts'
import type { QuotaName } from '../../src/kernel/index.ts'

/** Overrides quotas of one organization, as an operator does. */
export async function setQuotas(
  db: Database,
  organizationId: number,
  quotas: Partial<Record<QuotaName, number>>,
): Promise<void> {
  await db
    .updateTable('organizations')
    .set({ quotas: JSON.stringify(quotas) })
    .where('id', '=', organizationId)
    .execute()
}

/** What a request beyond a quota is refused with. */
export const beyondQuota = (quota: QuotaName, limit: number) => ({
  code: 'CONFLICT',
  details: { reason: 'quota_exceeded', quota, limit, used: limit },
})
