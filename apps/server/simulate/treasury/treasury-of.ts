import type { SeenBreaker } from '../checks/breaker-row.ts'
import type { MarketLimitsOfWallets } from '../checks/treasury-quiescence.ts'
import type { SimulationRun } from '../simulation-run.ts'
import { Violation } from '../violation.ts'
import type { Treasury } from './treasury.ts'

/** A seed that may have a treasury, in addition to clients who sign for themselves. */
export interface TreasuryRun extends SimulationRun {
  readonly treasury: Treasury | undefined
  /** The circuit breakers at the last check. */
  readonly breakersSeen: Map<string, SeenBreaker>
  /** Absent where markets pay and accept everything. */
  readonly marketLimits?: MarketLimitsOfWallets
  /** The keys of strategies whose moves agents refuse; absent where they sign all. */
  readonly refusedByAgents?: readonly string[]
  /** Checks what was just planned, before anything else happens. */
  checkPlans?(): Promise<void>
  /** Lets everything that was requested back become claimable; false where no market pays later. */
  letExitsMature?(): boolean
}

/** The treasury of a seed that has one. */
export function treasuryOf({ treasury }: TreasuryRun): Treasury {
  if (!treasury) throw new Violation('this seed has no treasury')
  return treasury
}
