import type { RawBuilder } from 'kysely'
import { DELETE_OLD_ROWS_BATCH, type Log } from '../../kernel/index.ts'
import type { Database } from '../handles.ts'
import type { Schema } from '../schema.ts'
import { runItems } from './run-items.ts'

/** How long the rows of one table are kept. */
export interface Retention {
  readonly table: keyof Schema
  /**
   * Deletes at most `limit` rows that are too old, the oldest ones first. It finds them by an index, and skips rows that
   * somebody else has locked, so it waits for nobody.
   */
  statement(limit: number): RawBuilder<unknown>
}

export interface DeleteOldRowsOptions {
  readonly signal?: AbortSignal
  /** Rows of one transaction. */
  readonly batch?: number
  /** Called after each batch that deleted rows. */
  readonly onDeleted?: (table: keyof Schema, rows: number) => void
}

/**
 * Deletes what is too old, one batch in each transaction, and returns the number of rows by table. A table that fails is
 * logged and left out; the others continue. Ends between two batches when the signal aborts.
 */
export async function deleteOldRows(
  parts: { readonly db: Database; readonly log: Log },
  retentions: readonly Retention[],
  { signal, batch = DELETE_OLD_ROWS_BATCH, onDeleted }: DeleteOldRowsOptions = {},
): Promise<ReadonlyMap<keyof Schema, number>> {
  const deleted = new Map<keyof Schema, number>()
  await runItems(parts, retentions, {
    job: 'delete old rows',
    keyOf: ({ table }) => table,
    async work({ table, statement }) {
      for (let rows = batch; rows === batch && !signal?.aborted; ) {
        const { numAffectedRows = 0n } = await statement(batch).execute(parts.db)
        rows = Number(numAffectedRows)
        if (rows === 0) return
        deleted.set(table, (deleted.get(table) ?? 0) + rows)
        onDeleted?.(table, rows)
      }
    },
  })
  return deleted
}
