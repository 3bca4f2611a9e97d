import type { Database } from '../database/index.ts'
import type { Clock, Log, RandomSource, Sealer } from '../kernel/index.ts'
import type { AddressRules } from './guard/address-rules.ts'

/** What the verbs of this room need; each takes the part of it that it names. */
export interface WebhookParts {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly random: RandomSource
  /** Encrypts the secrets that sign. */
  readonly sealer: Sealer
  /** Where webhooks may be sent to. */
  readonly rules: AddressRules
}
