import type { Clock, Log } from '../../kernel/index.ts'
import type { BlockRef } from '../port/blocks.ts'
import type { Network } from '../port/networks.ts'
import type { createHighestHead } from '../rpc/highest-head.ts'
import type { Rpc } from '../rpc/rpc.ts'
import type { BalanceHistory } from './caches/balance-history.ts'
import type { BlockCache } from './caches/block-cache.ts'
import type { ProgramErrors } from './errors/transaction-errors.ts'
import type { PriorityFeePolicy } from './fees/priority-fee.ts'

/** How settled a result must be: `confirmed` by most of the cluster, or `finalized` forever. */
export type Commitment = 'confirmed' | 'finalized'
export const FINALIZED: Commitment = 'finalized'

/** An address that is mentioned in a block of that slot. */
export interface ListWitness {
  readonly address: string
  readonly slot: number
}

/** The parts that every verb of the adapter needs. */
export interface SolanaContext {
  readonly network: Network
  readonly rpc: Rpc
  readonly clock: Clock
  readonly log: Log
  /** The commitment that counts as final here (contract 8). */
  readonly final: Commitment
  readonly blocks: BlockCache
  /** What nodes reported as the heads so far. */
  readonly highest: Readonly<Record<Commitment, ReturnType<typeof createHighestHead<BlockRef>>>>
  readonly history: BalanceHistory
  /** See list-witness.ts. */
  readonly listWitness: (slot: number) => Promise<ListWitness | undefined>
  readonly programErrors: ProgramErrors
  /** The approximate time between two slots. */
  readonly slotMs: number
  readonly busyAccounts: readonly string[]
  readonly priorityFees: PriorityFeePolicy
}

/** A result with the slot of the state that it was read from. */
export interface SolanaRpcResponse<T> {
  readonly context: { readonly slot: number }
  readonly value: T
}
