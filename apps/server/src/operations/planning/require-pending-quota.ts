import type { Tx } from '../../database/index.ts'
import { requireQuota } from '../../identity/index.ts'
import { QUOTA_UNLOCKED_PLACES, QUOTAS } from '../../kernel/index.ts'
import type { Parts } from '../lifecycle/parts.ts'
import { pendingOperationUse } from '../lifecycle/reads/operation-use.ts'
import type { AllocatedIds } from './read-planning-state.ts'

/**
 * Requires a place for one more unfinished operation, after those that it supersedes have ended. Far from the limit this
 * costs no statement. Error: CONFLICT with `details.reason` `quota_exceeded`.
 */
export async function requirePendingQuota(
  tx: Tx,
  parts: Pick<Parts, 'quotas' | 'clock'>,
  organizationId: number,
  { used, override }: AllocatedIds['pending'],
): Promise<void> {
  const limit = override ?? (parts.quotas ?? QUOTAS).pendingOperations
  if (used + QUOTA_UNLOCKED_PLACES < limit) return
  await requireQuota(tx, parts, { organizationId, quota: 'pendingOperations', use: pendingOperationUse })
}
