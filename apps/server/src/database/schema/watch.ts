export interface WatchTables {
  chain_cursors: {
    blockchain: string
    genesis_hash: string
    /** Every block up to this one is settled. */
    final_number: number
    final_hash: string
    final_time: Date
    /** Inclusions are noted up to this block. */
    head_number: number
    head_hash: string
    updated_at: Date
  }
}
