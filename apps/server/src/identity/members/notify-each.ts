import { inTransaction, isInfrastructureFailure, type Tx } from '../../database/index.ts'
import { outageLogsBy } from '../../kernel/index.ts'
import type { IdentityParts } from '../shared/parts.ts'

const outagesOf = outageLogsBy({
  away: 'failed to queue emails to approvers',
  back: 'queued emails to approvers after failures',
  level: 'error',
})

/**
 * Queues the emails about each request in a transaction of its own, and returns how many requests there were. `notify`
 * marks its request in that transaction: a crash neither loses nor repeats an email. A request whose emails cannot be
 * queued is logged once, holds up no other, and is tried again in the next round.
 */
export async function notifyEach<Waiting extends object>(
  { db, log }: Pick<IdentityParts, 'db' | 'log'>,
  waiting: readonly Waiting[],
  notify: (tx: Tx, waiting: Waiting) => Promise<void>,
): Promise<number> {
  const outages = outagesOf(log, log)
  for (const one of waiting) {
    const part = { request: one }
    try {
      await inTransaction(db, (tx) => notify(tx, one))
      outages.recovered(part)
    } catch (error) {
      // The job logs once that the database is unavailable.
      if (isInfrastructureFailure(error)) throw error
      outages.failed(part, { err: error })
    }
  }
  return waiting.length
}
