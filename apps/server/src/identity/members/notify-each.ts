import { inTransaction, type Tx } from '../../database/index.ts'
import type { IdentityParts } from '../shared/parts.ts'

/**
 * Queues the mails about each request in a transaction of its own, and returns how many requests there were. `notify`
 * marks its request in that transaction: a crash neither loses nor repeats a mail. A request whose mails cannot be
 * queued is logged, holds up no other, and is tried again in the next round.
 */
export async function notifyEach<Waiting extends object>(
  { db, log }: Pick<IdentityParts, 'db' | 'log'>,
  waiting: readonly Waiting[],
  notify: (tx: Tx, waiting: Waiting) => Promise<void>,
): Promise<number> {
  for (const one of waiting) {
    try {
      await inTransaction(db, (tx) => notify(tx, one))
    } catch (error) {
      log.error({ err: error, request: one }, 'failed to queue mails to approvers')
    }
  }
  return waiting.length
}
