import type { IncludedTransaction } from './included-transaction.ts'

export interface BlockRef {
  readonly number: number
  readonly hash: string
  readonly parentHash: string
  /** By the chain's clock. */
  readonly time: Date
  /** Solana: the number of blocks up to this one, which determines when a blockhash expires. */
  readonly height?: number
}

export interface Heads {
  readonly latest: BlockRef
  readonly final: BlockRef
}

export interface Block extends BlockRef {
  readonly transactions: readonly IncludedTransaction[]
}
