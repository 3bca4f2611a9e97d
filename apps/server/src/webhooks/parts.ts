import type { Database } from '../database/index.ts'
import type { Clock, Log, QuotaLimits, RandomSource, Sealer } from '../kernel/index.ts'
import type { AddressRules } from './guard/address-rules.ts'

/** Dependencies of the verbs in this room; each picks what it needs. */
export interface WebhookParts {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly random: RandomSource
  /** Encrypts signing secrets. */
  readonly sealer: Sealer
  /** Opens the personal fields of events. */
  readonly events: Sealer
  /** Allowed destinations. */
  readonly rules: AddressRules
  /** What an organization may have at most; the defaults if absent. */
  readonly quotas?: QuotaLimits
}
