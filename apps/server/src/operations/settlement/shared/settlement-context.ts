import type { Block, Chain } from '../../../chains/index.ts'
import type { CallBatcher } from '../../../database/index.ts'
import type { WalletSnapshot } from '../discovery/read-wallets.ts'

/** What every step of a settlement needs: its statements, the block, and what was read at it. */
export interface SettlementContext {
  /** Every statement of a settlement is one that the other wallets of the block may need too. */
  readonly batcher: CallBatcher
  readonly chain: Chain
  readonly block: Block
  readonly snapshot: WalletSnapshot
  readonly at: Date
}
