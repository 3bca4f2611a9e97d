import type { Chains } from '../chains/index.ts'
import type { Database } from '../database/index.ts'
import type { Clock } from '../kernel/index.ts'

/** What the verbs of this room need. */
export interface WalletParts {
  readonly db: Database
  readonly chains: Chains
  readonly clock: Clock
}
