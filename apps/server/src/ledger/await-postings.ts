import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../database/index.ts'
import {
  type Clock,
  Failure,
  POSTING_MAX_MS,
  POSTING_POLL_INTERVAL_MS,
  POSTING_START_MS,
  POSTING_WAIT_MAX_MS,
} from '../kernel/index.ts'

/**
 * Waits until everything that was posted before a moment can be read. An entry has the time at which its transaction
 * began to post, and nobody sees it before the commit: a view of a moment just past would lack it now and have it later.
 * Returns at once for older moments, and looks at locks only, which cover transactions without a write so far.
 *
 * Error: NOT_READY, when one of these transactions is still open after two seconds.
 */
export async function awaitPostings(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  before: Date,
): Promise<void> {
  const ageMs = clock.now().getTime() - before.getTime()
  if (ageMs > POSTING_MAX_MS) return
  if (ageMs < POSTING_START_MS) await pause(Math.min(POSTING_START_MS - ageMs, POSTING_START_MS))
  let open = await postingTransactions(db)
  const late = AbortSignal.timeout(POSTING_WAIT_MAX_MS)
  while (open.length > 0) {
    if (late.aborted)
      throw new Failure('NOT_READY', {
        message: 'The moment is too recent: something before it is still being posted.',
      })
    await pause(POSTING_POLL_INTERVAL_MS)
    const still = await postingTransactions(db)
    open = open.filter((transaction) => still.includes(transaction))
  }
}

/** The open transactions that may post: they locked a wallet, or wait for its lock, before they write anything. */
async function postingTransactions(db: Database): Promise<readonly string[]> {
  const { rows } = await sql<{ transaction: string }>`
    select distinct virtualtransaction as transaction from pg_locks
    where locktype = 'relation' and mode in ('RowShareLock', 'RowExclusiveLock') and pid <> pg_backend_pid()
      and database = (select oid from pg_database where datname = current_database())
      and relation in ('wallets'::regclass, 'ledger_entries'::regclass, 'ledger_breaks'::regclass)
  `.execute(db)
  return rows.map(({ transaction }) => transaction)
}
