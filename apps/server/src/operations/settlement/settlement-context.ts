import type { Block, Chain } from '../../chains/index.ts'
import type { Tx } from '../../database/index.ts'
import type { WalletSnapshot } from './read-wallets.ts'

/** What every step of a settlement needs: the transaction it runs in, the block, and what was read at it. */
export interface SettlementContext {
  readonly tx: Tx
  readonly chain: Chain
  readonly block: Block
  readonly snapshot: WalletSnapshot
  readonly at: Date
}
