import type { Chains } from '../chains/index.ts'
import type { Database } from '../database/index.ts'
import type { Clock, Log, QuotaLimits, RandomSource, Sealer } from '../kernel/index.ts'
import type { RampProvider } from './provider/port.ts'
import type { FieldSealer } from './sealing/sealed-fields.ts'

/** Dependencies of the verbs in this room. */
export interface RampParts {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly random: RandomSource
  readonly chains: Chains
  readonly provider: RampProvider
  /** Seals account numbers. */
  readonly sealer: Sealer
  /** Seals personal and bank data. */
  readonly fields: FieldSealer
  /** What an organization may have at most; the defaults if absent. */
  readonly quotas?: QuotaLimits
}
