import { setTimeout as pause } from 'node:timers/promises'
import {
  Failure,
  inSpan,
  type Span,
  type SpanOptions,
  TRANSACTION_RETRIES_MAX,
  TRANSACTION_RETRY_DELAY_MS,
} from '../../kernel/index.ts'
import type { Database, Tx } from '../handles.ts'
import { requireLease } from './leased-database.ts'
import { collectMilestones, publishCollected } from './milestones.ts'
import { isStaleStatement } from './prepared-query.ts'
import { sqlStateOf } from './sql-state.ts'

/** Serialization failure and deadlock: PostgreSQL guarantees that no part of the transaction was done. */
const RETRYABLE_SQLSTATES = new Set(['40001', '40P01'])
/** Raised by the tables themselves: nothing new may be added to a deleted organization. */
const ORGANIZATION_DELETED = 'WR404'

/**
 * Runs `work` in one read-committed transaction and commits it. After a deadlock or a serialization failure, or when a
 * table got a column since a statement was prepared, the whole of `work` runs again, up to three more times, so it must
 * have no effect outside the transaction. Every other error is thrown unchanged; after a lost connection the commit may
 * or may not have happened, so read back first.
 *
 * On the handle of a leased job (leased-database.ts) the transaction first checks that this process still holds it.
 * Steps that `work` records (steps.ts) are published after the commit.
 *
 * Error: ORGANIZATION_NOT_FOUND when `work` plans something for an organization that was deleted meanwhile.
 */
export function inTransaction<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  return inSpan(describeTransaction, (span) => commit(db, work, span))
}

const describeTransaction = (): SpanOptions => ({
  name: 'transaction',
  kind: 'client',
  attributes: { 'db.system.name': 'postgresql', 'db.operation.name': 'transaction' },
})

async function commit<T>(db: Database, work: (tx: Tx) => Promise<T>, span: Span): Promise<T> {
  for (let retries = 0; ; retries += 1) {
    try {
      let committed: Tx | undefined
      const result = await db
        .transaction()
        .setIsolationLevel('read committed')
        .execute(async (tx) => {
          committed = tx
          collectMilestones(db, tx)
          await requireLease(db, tx)
          return await work(tx)
        })
      if (committed) publishCollected(db, committed)
      return result
    } catch (error) {
      if (sqlStateOf(error) === ORGANIZATION_DELETED) throw new Failure('ORGANIZATION_NOT_FOUND', { cause: error })
      if (
        retries === TRANSACTION_RETRIES_MAX ||
        !(RETRYABLE_SQLSTATES.has(sqlStateOf(error)) || isStaleStatement(error))
      )
        throw error
      span.set({ 'weir.transaction.retries': retries + 1 })
      await pause(TRANSACTION_RETRY_DELAY_MS * 2 ** retries)
    }
  }
}
