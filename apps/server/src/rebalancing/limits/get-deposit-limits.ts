import type { RebalanceParts } from '../parts.ts'
import { defaultLimits } from './deposit-limits.ts'
import type { LimitsInForce } from './set-deposit-limits.ts'

/** The limits that apply to the organization's deposits. */
export async function getDepositLimits(
  { db, rebalancing }: Pick<RebalanceParts, 'db' | 'rebalancing'>,
  organizationId: number,
): Promise<LimitsInForce> {
  const row = await db
    .selectFrom('deposit_limits')
    .select(['limits', 'updated_at'])
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  return row
    ? { limits: row.limits, updatedAt: row.updated_at }
    : { limits: defaultLimits(rebalancing), updatedAt: null }
}
