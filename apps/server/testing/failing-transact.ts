import { type Database, extendTransact, type Transact, transactOn } from '../src/database/index.ts'

/** Transactions that fail after their work, as when a response cannot be recorded with it: nothing commits. */
export function failingTransact<R>(db: Database, message: string): Transact<R> {
  const plain: Transact<R> = transactOn(db)
  return extendTransact(plain, () => Promise.reject(new Error(message)))
}
