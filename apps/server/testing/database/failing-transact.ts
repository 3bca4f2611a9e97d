import { type Database, extendTransact, type Transact, transactOn } from '../../src/database/index.ts'

/** A `Transact` that fails after its work, as when recording the response fails: nothing commits. */
export function failingTransact<R>(db: Database, message: string): Transact<R> {
  const plain: Transact<R> = transactOn(db)
  return extendTransact(plain, () => Promise.reject(new Error(message)))
}
