import type { Tx } from '../../database/index.ts'
import { appendAuditEntry, SYSTEM_ACTOR } from '../../identity/index.ts'
import type { ChangeParts } from '../parts.ts'
import { advanceChangeRequest } from './advance-change-request.ts'
import { type ChangeRequester, isUnended } from './change-request.ts'
import { lockChangeRequest } from './lock-change-request.ts'

/**
 * Cancels the open change requests of a key or service account that ends, with their audit entries: only it could
 * complete them, and they would hold places that others need.
 */
export async function endRequestsOf(
  tx: Tx,
  parts: Pick<ChangeParts, 'clock' | 'sealer'>,
  organizationId: number,
  requestedBy: ChangeRequester,
): Promise<void> {
  const at = parts.clock.now()
  const open = await tx
    .selectFrom('change_requests')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('requested_by_type', '=', requestedBy.type)
    .where('requested_by_id', '=', requestedBy.id)
    .where('ended_at', 'is', null)
    .orderBy('id')
    .execute()
  for (const { id } of open) {
    const request = await lockChangeRequest(tx, parts, { organizationId, changeRequestId: id })
    if (!isUnended(request)) continue
    await advanceChangeRequest(tx, request, 'cancelled', at)
    await appendAuditEntry(tx, {
      organizationId,
      actor: SYSTEM_ACTOR,
      action: 'cancelChangeRequest',
      objectType: 'change_request',
      objectId: id,
      from: null,
      at,
      details: { kind: request.kind, action: request.action },
    })
  }
}
