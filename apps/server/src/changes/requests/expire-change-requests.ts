import { inTransaction, type Tx } from '../../database/index.ts'
import { appendAuditEntry, SYSTEM_ACTOR } from '../../identity/index.ts'
import { CHANGE_REQUESTS_SWEEP_BATCH } from '../../kernel/index.ts'
import type { ChangeParts } from '../parts.ts'
import { type ChangeRequest, isOpen } from './change-request.ts'
import { lockChangeRequest } from './lock-change-request.ts'
import { moveChangeRequest } from './move-change-request.ts'

/**
 * Expires change requests that nobody approved, or completed, in time. Returns how many were evaluated. Nothing depends
 * on it: an overdue request is refused and shown as expired before the sweep.
 */
export async function expireChangeRequests(parts: ChangeParts): Promise<number> {
  const overdue = await parts.db
    .selectFrom('change_requests')
    .select(['organization_id as organizationId', 'id as changeRequestId'])
    .where('ended_at', 'is', null)
    .where('expires_at', '<=', parts.clock.now())
    .orderBy('expires_at')
    .limit(CHANGE_REQUESTS_SWEEP_BATCH)
    .execute()
  for (const ref of overdue)
    await inTransaction(parts.db, async (tx) => {
      const at = parts.clock.now()
      const request = await lockChangeRequest(tx, parts, ref)
      if (request.endedAt === null && !isOpen(request, at)) await expireChangeRequest(tx, request, at)
    })
  return overdue.length
}

/** Expires one locked request, with its audit entry. */
export async function expireChangeRequest(tx: Tx, request: ChangeRequest, at: Date): Promise<void> {
  await moveChangeRequest(tx, request, 'expired', at)
  await appendAuditEntry(tx, {
    organizationId: request.organizationId,
    actor: SYSTEM_ACTOR,
    action: 'expireChangeRequest',
    objectType: 'change_request',
    objectId: request.id,
    from: null,
    at,
  })
}
