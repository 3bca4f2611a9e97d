import type { Selectable } from 'kysely'
import type { ChangeRequestState, Role, Schema } from '../../database/index.ts'
import { addMilliseconds, assert, Failure, openIfReadable, UNREADABLE } from '../../kernel/index.ts'
import type { ChangeParts } from '../parts.ts'
import type { ChangeKind } from '../policy/change-policy.ts'

/** What approvers read of a request; secrets in its body are masked. */
export interface ChangeContent {
  /** What the route does: "Add a member". */
  readonly summary: string
  readonly method: string
  readonly path: string
  readonly body: unknown
}

/** Who requested a change. */
export interface ChangeRequester {
  readonly type: 'user' | 'key' | 'service_account'
  readonly id: number
  /** For a service account that requests it now: the member who holds its secret. */
  readonly heldBy?: number
}

/** The fields that a change request has in every state. */
interface ChangeRequestFields {
  readonly organizationId: number
  readonly id: number
  readonly kind: ChangeKind
  /** The `operationId` of the route. */
  readonly action: string
  readonly content: ChangeContent
  /** Whether the stored content opens. If not, nobody can approve the request. */
  readonly isReadable: boolean
  readonly fingerprint: Buffer
  readonly requestedBy: ChangeRequester
  /** The user who requested it, or who holds the key or the secret that did. Their approval does not count. */
  readonly requesterUserId: number | null
  /** The member whom the change is about; `null`: it is about no member. They cannot reject it. */
  readonly concernedUserId: number | null
  /** The role that it gives them, if any. They cannot approve one with more rights than theirs. */
  readonly givenRole: Role | null
  readonly requiredApprovals: number
  readonly coolingOffSeconds: number
  readonly createdAt: Date
  readonly expiresAt: Date
  /** When its requester ends, who alone can complete it; `null`: never, as far as is known. */
  readonly requesterEndsAt: Date | null
}

interface ChangeApproved {
  readonly approvedAt: Date
}

interface ChangeEnded {
  readonly endedAt: Date
}

interface EndedWithoutEffect extends ChangeEnded {
  /** `null`: it ended before it was approved. */
  readonly approvedAt: Date | null
}

interface ChangeRequestStates {
  requested: object
  approved: ChangeApproved
  rejected: EndedWithoutEffect
  cancelled: EndedWithoutEffect
  expired: EndedWithoutEffect
  completed: ChangeApproved & ChangeEnded
}

/** A change request in one state, with the fields that exist in it. */
export type ChangeRequestIn<State extends ChangeRequestState> = {
  [Each in State]: ChangeRequestFields & { readonly state: Each } & ChangeRequestStates[Each]
}[State]

/** A change that somebody requested and others must approve; its state determines which other fields it has. */
export type ChangeRequest = ChangeRequestIn<ChangeRequestState>

export const isUnended = (request: ChangeRequest): request is ChangeRequestIn<'requested' | 'approved'> =>
  request.state === 'requested' || request.state === 'approved'

/** A change request as stored: fields that do not belong to its state are present and `null`. */
export interface StoredChangeRequest extends ChangeRequestFields {
  readonly state: ChangeRequestState
  readonly approvedAt: Date | null
  readonly endedAt: Date | null
}

/** A stored request as one in its state. One that lacks a field of its state is a defect. */
export function parseChangeRequest(stored: StoredChangeRequest): ChangeRequest {
  const { id, state, approvedAt, endedAt } = stored
  const isApproved = state === 'approved' || state === 'completed'
  assert(!isApproved || approvedAt !== null, `change request ${id} is ${state} and has the time of its approval`)
  const hasEnded = state !== 'requested' && state !== 'approved'
  assert(hasEnded === (endedAt !== null), `change request ${id} is ${state} and has an end only if it ended`)
  return stored as ChangeRequest
}

type ChangeRequestRow = Selectable<Schema['change_requests']> & { readonly requester_ends_at: Date | null }

export function changeRequestFrom(sealer: ChangeParts['sealer'], row: ChangeRequestRow): ChangeRequest {
  const organizationId = row.organization_id
  const content = contentOf(sealer, row)
  return parseChangeRequest({
    organizationId,
    id: row.id,
    kind: row.kind as ChangeKind,
    action: row.action,
    content: content ?? UNREADABLE_CONTENT,
    isReadable: content !== undefined,
    fingerprint: row.fingerprint,
    requestedBy: { type: row.requested_by_type, id: row.requested_by_id },
    requesterUserId: row.requester_user_id,
    concernedUserId: row.concerned_user_id,
    givenRole: row.given_role,
    requiredApprovals: row.required_approvals,
    coolingOffSeconds: row.cooling_off_seconds,
    state: row.state,
    createdAt: row.created_at,
    approvedAt: row.approved_at,
    endedAt: row.ended_at,
    expiresAt: row.expires_at,
    requesterEndsAt: row.requester_ends_at,
  })
}

/** What is shown of an erased request. Only one that has ended can be: approvers read what they approve. */
const ERASED: ChangeContent = { summary: '[erased]', method: '', path: '', body: null }

/** What is shown of a request whose content is damaged: it must not hide the others. */
const UNREADABLE_CONTENT: ChangeContent = { ...ERASED, summary: UNREADABLE }

function contentOf(sealer: ChangeParts['sealer'], row: ChangeRequestRow): ChangeContent | undefined {
  if (row.content.length === 0 && row.ended_at !== null) return ERASED
  const content = openIfReadable(sealer, row.content, contentLabel(row.organization_id, row.id))
  return content === undefined ? undefined : (JSON.parse(content) as ChangeContent)
}

/** Binds the sealed content to its row. */
export const contentLabel = (organizationId: number, id: number): string => `change request ${organizationId}/${id}`

/**
 * Whether the request may still be decided or completed. An overdue one is expired, and one whose requester has ended is
 * cancelled, even before the sweep says so.
 */
export function isOpen(request: ChangeRequest, at: Date): boolean {
  return isUnended(request) && request.expiresAt > at && !hasLostRequester(request, at)
}

/** Whether its requester ended while it was open. */
export function hasLostRequester({ requesterEndsAt, expiresAt }: ChangeRequest, at: Date): boolean {
  return requesterEndsAt !== null && requesterEndsAt <= at && requesterEndsAt < expiresAt
}

/** The state as callers see it at this time. */
export function stateAt(request: ChangeRequest, at: Date): ChangeRequestState {
  if (!isUnended(request) || isOpen(request, at)) return request.state
  return hasLostRequester(request, at) ? 'cancelled' : 'expired'
}

/** When it was approved; `null` if it was not. */
export const changeApprovedAt = (request: ChangeRequest): Date | null =>
  request.state === 'requested' ? null : request.approvedAt

/** When it ended; `null` until then. */
export const changeEndedAt = (request: ChangeRequest): Date | null => (isUnended(request) ? null : request.endedAt)

/** When the change can be completed at the earliest; `null` before it is approved. */
export function earliestCompletion(request: ChangeRequestIn<'approved'>): Date
export function earliestCompletion(request: ChangeRequest): Date | null
export function earliestCompletion(request: ChangeRequest): Date | null {
  const approvedAt = changeApprovedAt(request)
  return approvedAt && addMilliseconds(approvedAt, request.coolingOffSeconds * 1_000)
}

export const changeRequestNotFound = () => new Failure('NOT_FOUND', { message: 'The change request does not exist.' })

/** CONFLICT unless the request is open; `details.reason` names the state. */
export function requireOpen(request: ChangeRequest, at: Date): void {
  if (isOpen(request, at)) return
  const state = stateAt(request, at)
  throw new Failure('CONFLICT', {
    message: `The change request is ${state}.`,
    details: { reason: `change_request_${state}`, changeRequestId: request.id },
  })
}

/** CONFLICT unless approvers can read, or have read, what the request says: what is damaged may be another change. */
export function requireReadable({ id: changeRequestId, isReadable }: ChangeRequest): void {
  if (isReadable) return
  throw new Failure('CONFLICT', {
    message: 'The content of the change request cannot be read. Reject it, and request the change again.',
    details: { reason: 'change_request_unreadable', changeRequestId },
  })
}
