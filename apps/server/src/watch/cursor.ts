import type { BlockRef } from '../chains/index.ts'
import { type Database, holdsLease, inTransaction } from '../database/index.ts'

/** The progress of following one chain (rule 7): settled up to `final`, inclusion recorded up to `head`. */
export interface Cursor {
  readonly genesisHash: string
  readonly final: { readonly number: number; readonly hash: string; readonly time: Date }
  readonly head: { readonly number: number; readonly hash: string }
}

export async function readCursor(db: Database, blockchain: string): Promise<Cursor | undefined> {
  const row = await db.selectFrom('chain_cursors').selectAll().where('blockchain', '=', blockchain).executeTakeFirst()
  return (
    row && {
      genesisHash: row.genesis_hash,
      final: { number: row.final_number, hash: row.final_hash, time: row.final_time },
      head: { number: row.head_number, hash: row.head_hash },
    }
  )
}

export interface NewCursor {
  readonly blockchain: string
  readonly genesisHash: string
  readonly at: BlockRef
  readonly now: Date
}

/** Sets where following starts or restarts: blocks before this one are ignored. */
export async function placeCursor(db: Database, { blockchain, genesisHash, at, now }: NewCursor): Promise<void> {
  const row = {
    genesis_hash: genesisHash,
    final_number: at.number,
    final_hash: at.hash,
    final_time: at.time,
    head_number: at.number,
    head_hash: at.hash,
    updated_at: now,
  }
  await inTransaction(db, (tx) =>
    tx
      .insertInto('chain_cursors')
      .values({ blockchain, ...row })
      .onConflict((conflict) => conflict.column('blockchain').doUpdateSet(row))
      .execute(),
  )
}

/** Deletes a chain's cursor: following restarts as for a chain that was never followed. */
export async function deleteCursor(db: Database, blockchain: string): Promise<void> {
  await db.deleteFrom('chain_cursors').where('blockchain', '=', blockchain).where(holdsLease(db)).execute()
}

export interface FinalMove {
  readonly blockchain: string
  /** The number that the cursor must still have. */
  readonly from: number
  readonly to: BlockRef
  readonly now: Date
}

/** Advances by one settled block. `false`: another process moved the cursor meanwhile, so this one stops following. */
export async function moveFinal(db: Database, { blockchain, from, to, now }: FinalMove): Promise<boolean> {
  const update = await db
    .updateTable('chain_cursors')
    .set({ final_number: to.number, final_hash: to.hash, final_time: to.time, updated_at: now })
    .where('blockchain', '=', blockchain)
    .where('final_number', '=', from)
    .where(holdsLease(db))
    .executeTakeFirst()
  return update.numUpdatedRows === 1n
}

export async function moveHead(db: Database, blockchain: string, to: { number: number; hash: string }): Promise<void> {
  await db
    .updateTable('chain_cursors')
    .set({ head_number: to.number, head_hash: to.hash })
    .where('blockchain', '=', blockchain)
    .where(holdsLease(db))
    .execute()
}
