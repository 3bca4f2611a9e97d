import type { AuditActorType } from '../../database/index.ts'

/** Every type of security event, with what it reports. */
export const SECURITY_EVENT_TYPES = {
  credential_refused: 'A missing, unknown, forged, revoked or expired key or token, or a key from a foreign address.',
  sign_in_refused: 'A wrong password, code or token on a route where callers get a session.',
  registration_refused: 'A registration that was refused.',
  confirmation_refused: 'A signed-in caller sent a wrong password, code or proof.',
  access_denied: 'A valid credential that may not do this.',
  object_not_found: "A valid credential that named an object outside its scope: a missing one, or another tenant's.",
  transaction_mismatch: 'A signed transaction that differs from the planned one.',
  rate_limited: 'A request beyond a limit.',
  request_refused: 'A refused request on a route without a credential, such as an unsigned provider event.',
  role_refused:
    'Claims of an identity provider gave a member a role that the rules for changes refuse; the role stays.',
  owner_recovered: 'A command on the host gave an owner a one-time password.',
  owner_recovery_refused: 'A command on the host found no such owner.',
  organization_erasure_requested: 'An owner deleted the organization and requested the erasure of its personal data.',
  organization_erased: 'The personal data of a deleted organization was destroyed.',
  domain_approved: 'A command on the host gave an email domain to an organization.',
  registration_invited: 'A command on the host created an invitation to register.',
} as const

export type SecurityEventType = keyof typeof SECURITY_EVENT_TYPES

/** The types that record what succeeded; all others record a refusal. For `event.outcome` of the Elastic Common Schema. */
export const SECURITY_EVENT_SUCCESSES: readonly SecurityEventType[] = [
  'owner_recovered',
  'organization_erasure_requested',
  'organization_erased',
  'domain_approved',
  'registration_invited',
]

/** The facts of one refusal. Text from the caller is in `userAgent` only, without control characters. */
export interface SecurityEventFacts {
  readonly type: SecurityEventType
  /** Whose credential or account was presented; `null` if unknown. */
  readonly organizationId: number | null
  readonly actorType: AuditActorType | null
  readonly actorId: number | null
  /** `null` for the host, and where events of several addresses were merged. */
  readonly address: string | null
  readonly userAgent: string | null
  /** The template of the route: `/v1/wallets/:walletId`; `null` for an unknown path. */
  readonly route: string | null
  readonly method: string | null
  readonly status: number | null
  /** The error code of the response. */
  readonly code: string | null
  /** A snake_case word that says more than the code. */
  readonly reason: string | null
  readonly requestId: string | null
}

/** An event, or several that were merged: facts in which they differ are null. */
export interface SecurityEvent extends SecurityEventFacts {
  /** A UUID that sorts by time. */
  readonly id: string
  readonly at: Date
  /** How many refusals it stands for. */
  readonly count: number
  /** The time of the last one. */
  readonly lastAt: Date
}

/** Accepts events; what it does with them never delays or fails the caller. */
export interface SecurityEventRecorder {
  /** `group`: the caller's network. Events of one type, group and organization are merged under a flood. */
  record(facts: SecurityEventFacts, group?: string): void
  /** Writes every event that is not merged, and waits for it. */
  flush(): Promise<void>
}
