export interface WatchTables {
  chain_cursors: {
    blockchain: string
    /** Tells apart chains of the same name. */
    genesis_hash: string
    /** Every block up to this one is settled. */
    final_number: number
    final_hash: string
    /** The time of that block, by the chain's clock. */
    final_time: Date
    /** Inclusions are noted up to this block. */
    head_number: number
    head_hash: string
    updated_at: Date
  }
}
