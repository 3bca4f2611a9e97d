import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'

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

/** Wraps `pg.Client.query`, which every statement passes. For tests only. */
function installProbe(): void {
  if (probing) return
  probing = true
  const query = pg.Client.prototype.query
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const text = textOf(args[0])
    // The first statement of a new connection is not part of the work.
    if (!/^select (set_config|note_place)\(/.test(text)) current.getStore()?.push(text)
    return Reflect.apply(query, this, args)
  } as pg.Client['query']
}

function textOf(statement: unknown): string {
  if (typeof statement === 'string') return statement
  const text = (statement as { text?: unknown } | null)?.text
  return typeof text === 'string' ? text : String(statement)
}
