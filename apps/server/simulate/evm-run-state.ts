import type { PaidClaims } from './checks/paid-claims.ts'
import type { SimulationRun } from './simulation-run.ts'
import type { World } from './world/world.ts'

/** What clients and checks read and record of a seed on an EVM chain. */
export interface EvmRunState extends SimulationRun {
  readonly world: World
  /** The block that was the latest when a transaction's bytes were issued. */
  readonly issuedAt: Map<number, number>
  readonly paidClaims: PaidClaims
  /** The rebalancer's requests that were checked. */
  readonly requestsSeen: Set<number>
  /** The last of the rebalancer's deposits that were checked. */
  readonly roomsSeen: { operation: number }
  /** The last plan whose balance was checked. */
  readonly balancesSeen: { operation: number }
}
