import { AsyncLocalStorage } from 'node:async_hooks'
import { probeStatements } from './probe-statements.ts'

export interface StatementCount {
  /** Statements, except those that only open or close transactions. */
  readonly statements: number
  /** Every round trip to PostgreSQL. */
  readonly roundTrips: number
  /** The statements' texts in order, for the message of a failing test. */
  readonly texts: readonly string[]
}

const current = new AsyncLocalStorage<string[]>()
const frame = /^(begin|start transaction|commit|rollback|savepoint|release)\b/i
let probing = false

/**
 * Counts the statements that `work` sends to PostgreSQL through any pool. Concurrent statements of other work run in
 * another asynchronous context and do not count.
 */
export async function countStatements<T>(work: () => Promise<T>): Promise<StatementCount & { result: T }> {
  installProbe()
  const texts: string[] = []
  const result = await current.run(texts, work)
  return { result, texts, roundTrips: texts.length, statements: texts.filter((text) => !frame.test(text)).length }
}

function installProbe(): void {
  if (probing) return
  probing = true
  probeStatements((text) => {
    // The first statement of a new connection is not part of the work.
    if (!/^select (set_config|note_place)\(/.test(text)) current.getStore()?.push(text)
  })
}
