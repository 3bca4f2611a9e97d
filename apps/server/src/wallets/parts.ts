import type { Chains } from '../chains/index.ts'
import type { Database } from '../database/index.ts'
import type { Clock } from '../kernel/index.ts'

/** The parts that this room's verbs need. */
export interface WalletParts {
  readonly db: Database
  readonly chains: Chains
  readonly clock: Clock
}
