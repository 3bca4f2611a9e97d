import type { Clock, Log } from '../../kernel/index.ts'
import type { Network } from '../port/networks.ts'
import type { Rpc } from '../rpc/rpc.ts'
import type { RefusedPastReads } from './refused-past-reads.ts'

/** The parts that every verb of the adapter needs. */
export interface EvmContext {
  readonly network: Network
  readonly chainId: number
  readonly rpc: Rpc
  readonly clock: Clock
  readonly log: Log
  /** Methods that the nodes of this chain lack; detected once per process. */
  readonly unsupportedMethods: Set<string>
  readonly refusedPastReads: RefusedPastReads
}
