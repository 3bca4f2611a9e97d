/** How an organization's operations are approved (contract 7). */
export type PolicyMode = 'automatic' | 'manual' | 'conditional'

/** What happens to an operation: it goes ahead, people decide, or it ends. */
export type PolicyOutcome = 'approve' | 'require_approval' | 'reject'

/**
 * A day on which hours begin: a weekday's name, its first three letters, or its number (1 Monday to 7 Sunday; 0 is
 * Sunday too).
 */
export type PolicyDay = string | number

/**
 * Working hours by a wall clock: they begin at `from` on each of the `days` and end before `to`, on the same day or,
 * when `to` is not after `from`, on the next. The condition holds at every other time.
 */
export interface OutsideHours {
  /** IANA name of a time zone, such as `Europe/Berlin`. */
  readonly timezone: string
  /** `HH:MM`, included. */
  readonly from: string
  /** `HH:MM`, excluded; `24:00` is the end of the day. */
  readonly to: string
  readonly days: readonly PolicyDay[]
}

/** All given conditions must hold; without conditions a rule always holds. */
export interface PolicyConditions {
  /** Decimal text of the token; inclusive. */
  readonly amountAtLeast?: string
  readonly walletIds?: readonly number[]
  readonly custodyProviders?: readonly string[]
  readonly types?: readonly ('SUPPLY' | 'UNWIND')[]
  readonly outsideHours?: OutsideHours
  /** Names of venues or protocols, or contract addresses; case-insensitive. */
  readonly counterparties?: readonly string[]
}

export interface PolicyRule {
  readonly name: string
  readonly when: PolicyConditions
  readonly then: PolicyOutcome
}

export interface ApprovalPolicy {
  readonly mode: PolicyMode
  readonly rules: readonly PolicyRule[]
  /** The outcome when no rule holds. */
  readonly default: 'approve' | 'require_approval'
  /** The number of people who must approve where approval is required, 1 to 5. */
  readonly requiredApprovals: number
  /**
   * Whether the user who requested an operation may approve it. `false` excludes them for as long as other members
   * can give all approvals (ADR 102). `true` in policies stored before the field existed.
   */
  readonly requesterMayApprove: boolean
}

/** The active policy, or 'unreadable' if it is stored in a form that this build does not understand. */
export type ActivePolicy = ApprovalPolicy | 'unreadable'

/** Applies when the stored policy is unreadable: everything requires approval (contract 7). */
export const FALLBACK_POLICY: ApprovalPolicy = {
  mode: 'manual',
  rules: [],
  default: 'require_approval',
  requiredApprovals: 1,
  requesterMayApprove: false,
}

/** Applies until an organization sets a policy: nothing waits for people unless someone asks for it. */
export const DEFAULT_POLICY: ApprovalPolicy = {
  mode: 'automatic',
  rules: [],
  default: 'require_approval',
  requiredApprovals: 1,
  requesterMayApprove: false,
}
