import type { ChangeRequestState, Role, Tx } from '../../database/index.ts'
import { addMilliseconds, assert, CHANGE_COMPLETION_TIMEOUT_MS } from '../../kernel/index.ts'
import type { ChangeKind } from '../policy/change-policy.ts'
import {
  type ChangeRequest,
  type ChangeRequester,
  changeApprovedAt,
  changeEndedAt,
  parseChangeRequest,
  type StoredChangeRequest,
} from './change-request.ts'
import { CHANGE_REQUEST, type ChangeRequestEvent } from './change-states.ts'

/** The only code that assigns the state of a change request, by the table in `change-states.ts`. */

export interface NewChangeRequest {
  readonly organizationId: number
  readonly id: number
  readonly kind: ChangeKind
  readonly action: string
  readonly fingerprint: Buffer
  /** Sealed. */
  readonly content: Buffer
  readonly requestedBy: ChangeRequester
  readonly requesterUserId: number | null
  readonly concernedUserId: number | null
  readonly givenRole: Role | null
  readonly requiredApprovals: number
  readonly coolingOffSeconds: number
  readonly createdAt: Date
  readonly expiresAt: Date
}

export async function insertChangeRequest(tx: Tx, request: NewChangeRequest): Promise<void> {
  await tx
    .insertInto('change_requests')
    .values({
      organization_id: request.organizationId,
      id: request.id,
      kind: request.kind,
      action: request.action,
      fingerprint: request.fingerprint,
      content: request.content,
      requested_by_type: request.requestedBy.type,
      requested_by_id: request.requestedBy.id,
      requester_user_id: request.requesterUserId,
      concerned_user_id: request.concernedUserId,
      given_role: request.givenRole,
      required_approvals: request.requiredApprovals,
      cooling_off_seconds: request.coolingOffSeconds,
      state: 'requested',
      created_at: request.createdAt,
      expires_at: request.expiresAt,
    })
    .execute()
}

/** Applies an event to a request that the caller has locked. An event without a transition is a defect and rolls back. */
export async function advanceChangeRequest(
  tx: Tx,
  request: ChangeRequest,
  event: ChangeRequestEvent,
  at: Date,
): Promise<ChangeRequest> {
  const transition = CHANGE_REQUEST.find(request.state, event)
  assert(transition !== undefined, `a change request that is ${request.state} cannot be ${event}`)
  const moved: StoredChangeRequest = {
    ...request,
    state: transition.to,
    approvedAt: changeApprovedAt(request),
    endedAt: changeEndedAt(request),
    ...consequencesOf(request, transition.to, at),
  }
  await tx
    .updateTable('change_requests')
    .set({
      state: moved.state,
      approved_at: moved.approvedAt,
      ended_at: moved.endedAt,
      expires_at: moved.expiresAt,
    })
    .where('organization_id', '=', request.organizationId)
    .where('id', '=', request.id)
    .execute()
  return parseChangeRequest(moved)
}

/** An approved change cools off, and can then be completed for a while. */
function consequencesOf(
  { coolingOffSeconds }: ChangeRequest,
  to: ChangeRequestState,
  at: Date,
): Partial<Pick<StoredChangeRequest, 'approvedAt' | 'endedAt' | 'expiresAt'>> {
  switch (to) {
    case 'requested':
      return { approvedAt: null }
    case 'approved':
      return {
        approvedAt: at,
        expiresAt: addMilliseconds(at, coolingOffSeconds * 1_000 + CHANGE_COMPLETION_TIMEOUT_MS),
      }
    default:
      return { endedAt: at }
  }
}
