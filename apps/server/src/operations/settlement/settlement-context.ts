import type { Block, Chain } from '../../chains/index.ts'
import type { CallBatcher, Tx } from '../../database/index.ts'
import type { WalletSnapshot } from './read-wallets.ts'

/** What every step of a settlement needs: the transaction it runs in, the block, and what was read at it. */
export interface SettlementContext {
  readonly tx: Tx
  /** For statements that the other wallets of the block need too. */
  readonly batcher: CallBatcher
  readonly chain: Chain
  readonly block: Block
  readonly snapshot: WalletSnapshot
  readonly at: Date
}
