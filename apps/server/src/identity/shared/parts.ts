import type { Database } from '../../database/index.ts'
import type { Clock, KeyRing, Log, QuotaLimits, RandomSource, Sealer } from '../../kernel/index.ts'
import type { KeyUsage } from './key-usage.ts'
import type { PasswordRules } from './password-rules.ts'

/** A key of one environment is unknown in the other (contract 3). */
export type Environment = 'sandbox' | 'live'

/** The secrets of this room. Losing a pepper makes its keys unknown; losing `jwt` invalidates every access token. */
export interface IdentitySecrets {
  readonly jwt: KeyRing
  readonly pepper: KeyRing
}

/** How long a session lasts: without use, and in all. */
export interface SessionLimits {
  readonly idleMs: number
  readonly maxMs: number
}

/** Whether a password that another member set must be replaced before anything else (`one-time`) or not (`lasting`). */
export type AssignedPasswords = 'one-time' | 'lasting'

/**
 * Whether an address is proved by an email. `optional`: emails are sent, and nothing depends on them. `required`: an
 * organization exists only once its owner's address is proved, and members are invited.
 */
export type EmailVerification = 'required' | 'optional' | 'off'

/** Where mail goes out: seals what waits to be sent. */
export interface MailParts {
  readonly sealer: Sealer
  readonly emailVerification: EmailVerification
}

/** What second factors need. */
export interface FactorSettings {
  /** Seals the secrets of authenticator apps. */
  readonly sealer: Sealer
  /** The domain that passkeys belong to, and the origins of the pages that use them. */
  readonly relyingPartyId: string
  readonly origins: readonly string[]
  /** How long a verified second factor opens the routes that need a step-up. */
  readonly stepUpMs: number
}

/** Everything that the verbs of this room may need; each verb picks the parts that it uses. */
export interface IdentityParts {
  readonly db: Database
  readonly clock: Clock
  readonly random: RandomSource
  readonly secrets: IdentitySecrets
  readonly environment: Environment
  readonly log: Log
  readonly usage: KeyUsage
  readonly sessionLimits: SessionLimits
  readonly assignedPasswords: AssignedPasswords
  /** Absent: a new password needs its length only. */
  readonly passwordRules?: PasswordRules
  /** What an organization may have at most; the defaults if absent. */
  readonly quotas?: QuotaLimits
  /** Absent: the service has no mail server, and what needs one is refused. */
  readonly mail?: MailParts | undefined
  readonly factors: FactorSettings
}
