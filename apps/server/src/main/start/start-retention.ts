import { deleteOldRows, type PeriodicRunner, type Retention } from '../../database/index.ts'
import { type Clock, DELETE_OLD_ROWS_SECONDS, type Log } from '../../kernel/index.ts'
import type { Parts } from '../../operations/index.ts'

/** The rows that this process deleted since its start, by table. */
export type DeletedRows = ReadonlyMap<string, number>

/** Deletes old rows in one process at a time, batch by batch, and counts them. */
export function startRetention(
  periodic: PeriodicRunner,
  { db, log, clock }: Pick<Parts, 'db'> & { readonly log: Log; readonly clock: Clock },
  retentions: readonly Retention[],
): DeletedRows {
  const total = new Map<string, number>(retentions.map(({ table }) => [table, 0]))
  let at: Date | undefined
  const job = async (signal: AbortSignal): Promise<void> => {
    const deleted = await deleteOldRows({ db, log }, retentions, {
      signal,
      onDeleted(table, rows) {
        at = clock.now()
        total.set(table, (total.get(table) ?? 0) + rows)
      },
    })
    if (deleted.size > 0) log.info({ rows: Object.fromEntries(deleted) }, 'deleted old rows')
  }
  periodic.every('delete old rows', DELETE_OLD_ROWS_SECONDS, job, {
    progress: () => ({ at }),
    endsByTime: true,
  })
  return total
}
