import { sql } from 'kysely'
import { inTransaction, runSweep, type Tx } from '../../database/index.ts'
import { appendAuditEntry, SYSTEM_ACTOR } from '../../identity/index.ts'
import { CHANGE_REQUESTS_SWEEP_BATCH, type Log } from '../../kernel/index.ts'
import type { ChangeParts } from '../parts.ts'
import { advanceChangeRequest } from './advance-change-request.ts'
import { type ChangeRequest, hasLostRequester, isOpen, isUnended } from './change-request.ts'
import { lockChangeRequest } from './lock-change-request.ts'
import { requestEndsAt } from './requester-ends-at.ts'

/**
 * Expires change requests that nobody approved, or completed, in time, and cancels those whose requester has ended. Returns
 * how many were evaluated. Nothing depends on it: these requests are refused and shown as ended before the sweep.
 */
export async function expireChangeRequests(parts: ChangeParts & { readonly log: Log }): Promise<number> {
  const now = parts.clock.now()
  return runSweep(parts, {
    job: 'expire change requests',
    pageSize: CHANGE_REQUESTS_SWEEP_BATCH,
    page: (after: OverdueRequest | undefined) =>
      parts.db
        .selectFrom('change_requests as request')
        .select(['organization_id as organizationId', 'id as changeRequestId', 'expires_at as expiresAt'])
        .where('ended_at', 'is', null)
        .where(requestEndsAt(), '<=', now)
        .$if(after !== undefined, (query) =>
          query.where(sql<boolean>`(expires_at, id) > (${after?.expiresAt}, ${after?.changeRequestId})`),
        )
        .orderBy('expires_at')
        .orderBy('id')
        .limit(CHANGE_REQUESTS_SWEEP_BATCH)
        .execute(),
    keyOf: ({ changeRequestId }) => String(changeRequestId),
    work: (ref) =>
      inTransaction(parts.db, async (tx) => {
        const at = parts.clock.now()
        const request = await lockChangeRequest(tx, parts, ref)
        if (!isUnended(request) || isOpen(request, at)) return
        if (hasLostRequester(request, at)) await cancelForRequester(tx, request, at)
        else await expireChangeRequest(tx, request, at)
      }),
  })
}

interface OverdueRequest {
  readonly organizationId: number
  readonly changeRequestId: number
  readonly expiresAt: Date | null
}

/** Expires one locked request, with its audit entry. */
export async function expireChangeRequest(tx: Tx, request: ChangeRequest, at: Date): Promise<void> {
  await advanceChangeRequest(tx, request, 'expired', at)
  await audit(tx, request, { action: 'expireChangeRequest', at })
}

/** Only its requester could complete it. */
async function cancelForRequester(tx: Tx, request: ChangeRequest, at: Date): Promise<void> {
  const { kind, action } = request
  await advanceChangeRequest(tx, request, 'cancelled', at)
  await audit(tx, request, { action: 'cancelChangeRequest', at, details: { kind, action } })
}

async function audit(
  tx: Tx,
  { organizationId, id }: ChangeRequest,
  entry: { readonly action: string; readonly at: Date; readonly details?: Readonly<Record<string, string>> },
): Promise<void> {
  await appendAuditEntry(tx, {
    organizationId,
    actor: SYSTEM_ACTOR,
    objectType: 'change_request',
    objectId: id,
    from: null,
    ...entry,
  })
}
