import type { Database, Tx } from '../handles.ts'
import { inTransaction } from './in-transaction.ts'

/**
 * Runs `work` in one transaction, commits it, and returns its result. A verb commits its effect through one. A caller
 * wraps it to commit more in the same transaction: a cap guard, a recorded response, an audit entry. `work` may run
 * more than once ({@link inTransaction}).
 */
export type Transact<R> = (work: (tx: Tx) => Promise<R>) => Promise<R>

/** Transactions of a database, with nothing added. */
export function transactOn(db: Database): <R>(work: (tx: Tx) => Promise<R>) => Promise<R> {
  return (work) => inTransaction(db, work)
}

/**
 * A decorator's body: runs `extend` after the work, in the same transaction. The work gets its own result back;
 * `transact` gets the result of `extend`. An error of `extend` rolls the work back.
 */
export function extendTransact<Inner, Outer>(
  transact: Transact<Outer>,
  extend: (tx: Tx, result: Inner) => Promise<Outer>,
): Transact<Inner> {
  return async (work) => {
    let result: { readonly of: Inner } | undefined
    await transact(async (tx) => {
      result = { of: await work(tx) }
      return extend(tx, result.of)
    })
    return result!.of
  }
}
