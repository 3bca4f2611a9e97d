import type { Chains } from '../chains/index.ts'
import type { Database } from '../database/index.ts'
import type { Clock, QuotaLimits } from '../kernel/index.ts'

/** The parts that this room's verbs need. */
export interface WalletParts {
  readonly db: Database
  readonly chains: Chains
  readonly clock: Clock
  /** What an organization may have at most; the defaults if absent. */
  readonly quotas?: QuotaLimits
}
