/** How an organization's operations are approved (contract 7). */
export type PolicyMode = 'automatic' | 'manual' | 'conditional'

/** What happens to an operation: it goes ahead, people decide, or it ends. */
export type PolicyOutcome = 'approve' | 'require_approval' | 'reject'

/** Days on which hours begin: a weekday's name, its first three letters, or its number (1 Monday to 7 Sunday; 0 is Sunday too). */
export type PolicyDay = string | number

/**
 * Working hours on a wall clock: they begin at `from` on each of the `days` and end before `to`, on the same day or,
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

/** Every condition that is there must hold; none at all holds always. */
export interface PolicyConditions {
  /** Decimal text of the token; the amount itself is included. */
  readonly amountAtLeast?: string
  readonly walletIds?: readonly number[]
  readonly custodyProviders?: readonly string[]
  readonly types?: readonly ('SUPPLY' | 'UNWIND')[]
  readonly outsideHours?: OutsideHours
  /** Names of venues, names of protocols, or addresses of contracts; upper or lower case. */
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
  /** What happens when no rule holds. */
  readonly default: 'approve' | 'require_approval'
  /** How many people must approve what asks for it, 1 to 5. */
  readonly requiredApprovals: number
}

/** What is in force: a policy, or one that is stored in a form that this build does not understand. */
export type ActivePolicy = ApprovalPolicy | 'unreadable'

/** A policy that cannot be read asks people for everything (contract 7). */
export const FALLBACK_POLICY: ApprovalPolicy = {
  mode: 'manual',
  rules: [],
  default: 'require_approval',
  requiredApprovals: 1,
}

/** What an organization has that never set a policy: nothing waits for people until somebody says so. */
export const DEFAULT_POLICY: ApprovalPolicy = {
  mode: 'automatic',
  rules: [],
  default: 'require_approval',
  requiredApprovals: 1,
}
