import type { Clock, Log } from '../../kernel/index.ts'
import type { Network } from '../port/networks.ts'
import type { Rpc } from '../rpc/rpc.ts'
import type { LateReceipts } from './caches/late-receipts.ts'
import type { RefusedPastReads } from './caches/refused-past-reads.ts'
import type { UnsupportedMethods } from './caches/unsupported-methods.ts'

/** The parts that every verb of the adapter needs. */
export interface EvmContext {
  readonly network: Network
  readonly chainId: number
  readonly rpc: Rpc
  readonly clock: Clock
  readonly log: Log
  readonly unsupportedMethods: UnsupportedMethods
  readonly refusedPastReads: RefusedPastReads
  readonly lateReceipts: LateReceipts
}
