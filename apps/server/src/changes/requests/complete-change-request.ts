import type { Database, Transact, Tx } from '../../database/index.ts'
import { type Actor, appendAuditEntry, lockOrganization, SYSTEM_ACTOR } from '../../identity/index.ts'
import { Failure } from '../../kernel/index.ts'
import type { ChangeParts } from '../parts.ts'
import type { ChangeKind } from '../policy/change-policy.ts'
import { advanceChangeRequest } from './advance-change-request.ts'
import {
  type ChangeRequest,
  type ChangeRequester,
  type ChangeRequestIn,
  earliestCompletion,
  requireOpen,
  requireReadable,
} from './change-request.ts'
import { countChangeApprovals } from './count-change-approvals.ts'
import { type ChangeRequestRef, findChangeRequest, lockChangeRequest } from './lock-change-request.ts'
import { isReplacing, supersedeChangeRequests } from './supersede-change-requests.ts'

/** A request that names a change request as its permission. */
export interface ChangeClaim extends ChangeRequestRef {
  readonly kind: ChangeKind
  readonly fingerprint: Buffer
  readonly requestedBy: ChangeRequester
  /** The caller's network address. */
  readonly from: string
}

/**
 * Checks a claim before work that cannot be rolled back, such as a call to a banking partner, and returns when the change
 * was requested. Errors: NOT_FOUND,
 * FORBIDDEN (requested by somebody else, not approved, cooling off), CONFLICT (no longer open, unreadable, or another
 * request); `details.reason` says which.
 */
export async function checkChangeClaim(parts: ChangeParts, claim: ChangeClaim): Promise<Date> {
  const request = await findChangeRequest(parts.db, parts, claim)
  await requireCompletable(parts.db, request, claim, parts.clock.now())
  return request.createdAt
}

/**
 * A decorator: the work is the requested change. The change request is checked again under its lock and completed in the
 * same transaction, so it permits the change once; earlier requests about the same are cancelled. Errors: as
 * {@link checkChangeClaim}.
 */
export function completeChangeRequest<R>(parts: ChangeParts, claim: ChangeClaim, transact: Transact<R>): Transact<R> {
  return (work) =>
    transact(async (tx) => {
      const at = parts.clock.now()
      if (isReplacing(claim.kind)) await lockOrganization(tx, claim.organizationId)
      const request = await lockChangeRequest(tx, parts, claim)
      await requireCompletable(tx, request, claim, at)
      await advanceChangeRequest(tx, request, 'completed', at)
      const superseded = await supersedeChangeRequests(tx, parts, request, at)
      const result = await work(tx)
      const entry = (actor: Actor, action: string, objectId: number, from: string | null) =>
        appendAuditEntry(tx, {
          organizationId: claim.organizationId,
          actor,
          action,
          objectType: 'change_request',
          objectId,
          from,
          at,
          details: { kind: request.kind, action: request.action },
        })
      // Last, because the writers of an organization's audit log take turns from here to their commit.
      await entry(claim.requestedBy, 'completeChangeRequest', request.id, claim.from)
      for (const { id } of superseded) await entry(SYSTEM_ACTOR, 'supersedeChangeRequest', id, null)
      return result
    })
}

async function requireCompletable(
  db: Database | Tx,
  request: ChangeRequest,
  claim: ChangeClaim,
  at: Date,
): Promise<void> {
  const { id: changeRequestId, requestedBy } = request
  if (requestedBy.type !== claim.requestedBy.type || requestedBy.id !== claim.requestedBy.id)
    throw new Failure('FORBIDDEN', {
      message: 'Another user or key requested this change; only its requester can complete it.',
      details: { reason: 'change_request_of_another', changeRequestId },
    })
  requireOpen(request, at)
  requireReadable(request)
  if (request.kind !== claim.kind || !request.fingerprint.equals(claim.fingerprint))
    throw new Failure('CONFLICT', {
      message: 'This request differs from the one that was approved. Repeat exactly the same request.',
      details: { reason: 'change_request_mismatch', changeRequestId },
    })
  const earliest = earliestCompletion(await requireApproved(db, request))
  if (earliest > at)
    throw new Failure('FORBIDDEN', {
      message: `The change is approved, and its cooling-off period lasts until ${earliest.toISOString()}.`,
      details: { reason: 'change_request_cooling_off', changeRequestId, earliestAt: earliest.toISOString() },
    })
}

/** The request as an approved one. FORBIDDEN unless the approvals by present members suffice. */
async function requireApproved(db: Database | Tx, request: ChangeRequest): Promise<ChangeRequestIn<'approved'>> {
  const { id: changeRequestId, requiredApprovals } = request
  const approvals = await countChangeApprovals(db, request)
  if (request.state === 'approved' && approvals >= requiredApprovals) return request
  throw new Failure('FORBIDDEN', {
    message: `The change has ${approvals} of ${requiredApprovals} approvals.`,
    details: { reason: 'change_request_not_approved', changeRequestId, approvals, requiredApprovals },
  })
}
