import type { Chains } from '../chains/index.ts'
import type { Database, Tx } from '../database/index.ts'
import type { Clock, Log, RandomSource, Sealer } from '../kernel/index.ts'
import type { RampProvider } from './provider/port.ts'

/** What the verbs of this room need. */
export interface RampParts {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly random: RandomSource
  readonly chains: Chains
  readonly provider: RampProvider
  /** Seals account numbers. */
  readonly sealer: Sealer
}

/** Runs as the last statement of a verb's transaction, so that an idempotent answer commits with its effect. */
export type Finish<Result> = (tx: Tx, result: Result) => Promise<void>
