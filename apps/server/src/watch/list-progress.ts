import type { Database } from '../database/index.ts'

/** How far the follower of a chain is. */
export interface ChainProgress {
  readonly blockchain: string
  /** Everything up to this block is settled. */
  readonly settledBlock: number
  readonly settledBlockAt: Date
  readonly headBlock: number
  /** When it last moved on. */
  readonly movedAt: Date
}

/** Every chain that is followed, by name. Chains belong to nobody: all organizations see the same. */
export async function listProgress({ db }: { readonly db: Database }): Promise<ChainProgress[]> {
  return db
    .selectFrom('chain_cursors')
    .select([
      'blockchain',
      'final_number as settledBlock',
      'final_time as settledBlockAt',
      'head_number as headBlock',
      'updated_at as movedAt',
    ])
    .orderBy('blockchain')
    .execute()
}
