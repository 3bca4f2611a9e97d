import type { Generated } from 'kysely'
import type { JsonColumn, Now, Optional } from './column-types.ts'
import type { Role } from './identity.ts'

export type ChangeRequestState = 'requested' | 'approved' | 'rejected' | 'cancelled' | 'expired' | 'completed'

export interface ChangesTables {
  change_policies: {
    organization_id: number
    /** Counts the versions of an organization; the newest applies. */
    version: number
    /** Rules by kind of change; changes/ decides how to read it. */
    rules: JsonColumn<unknown>
    /** Null: the operator of the host reset it. */
    changed_by: Optional<number>
    /** From when this version applies. */
    changed_at: Now
  }
  change_requests: {
    organization_id: number
    id: Generated<number>
    /** The kind of change, which the policy has a rule for. */
    kind: string
    /** The `operationId` of the route. */
    action: string
    /** A keyed hash of route, path parameters and body. */
    fingerprint: Buffer
    /** Sealed: what approvers read, without secrets. */
    content: Buffer
    /** The kind of requester; `requested_by_id` is its id. */
    requested_by_type: 'user' | 'key' | 'service_account'
    requested_by_id: number
    /** The user who requested it, or who holds the key or the secret that did; null for keys of earlier versions. */
    requester_user_id: Optional<number>
    /** The member whom the change is about, as its path names them; null for changes about no member. */
    concerned_user_id: Optional<number>
    /** The role that the change gives to this member; null if it gives none. */
    given_role: Optional<Role>
    /** As the policy said when it was requested. */
    required_approvals: number
    /** As the policy said when it was requested. */
    cooling_off_seconds: number
    /** A state of change-states.ts. */
    state: ChangeRequestState
    created_at: Now
    /** When the approvals were complete; the cooling-off period starts here. */
    approved_at: Optional<Date>
    /** When it was completed, rejected, cancelled or expired. */
    ended_at: Optional<Date>
    /** When it expires, without enough approvals or without completion after them. */
    expires_at: Date
    /** When emails to those who may approve were queued; null while they are due. */
    approvers_notified_at: Optional<Date>
  }
  change_decisions: {
    organization_id: number
    change_request_id: number
    user_id: number
    /** approve or reject. */
    decision: 'approve' | 'reject'
    created_at: Now
    /** Why the member decided so, in their words. */
    reason: Optional<string>
    /** Where the evidence is, such as a contract or a ticket. */
    link: Optional<string>
    /** SHA-256 of the evidence in lower-case hex. */
    file_sha256: Optional<string>
  }
}
