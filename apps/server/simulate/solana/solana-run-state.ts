import type { SimulationRun } from '../simulation-run.ts'
import type { Cluster } from './world/cluster.ts'
import type { Accounts } from './world/market.ts'

/** What clients and checks read and record of a seed on Solana. */
export interface SolanaRunState extends SimulationRun {
  readonly cluster: Cluster
  readonly accounts: Accounts
  /** Transactions that their client signed so that two may land: against its promise, or with two fees. */
  readonly doubled: Set<number>
  /** The last of the rebalancer's moves that were checked. */
  readonly movesSeen: { operation: number }
  /** By position: what could be withdrawn, and when, at the last check. */
  readonly readingsSeen: Map<number, string>
  /** By position and day: the value at the end of it, at the last check. */
  readonly snapshotsSeen: Map<string, string>
  /** Whether nodes may list too many transactions of a wallet to be read. */
  readonly isSpammed: boolean
  /** Whether the service reads the activity of wallets, instead of every block. */
  readonly followsWallets: boolean
}
