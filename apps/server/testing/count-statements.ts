import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'

export interface StatementCount {
  /** Statements without those that only open and close transactions. */
  readonly statements: number
  /** Every round trip to PostgreSQL. */
  readonly roundTrips: number
  /** The text of each, in order, for the message of a failing test. */
  readonly texts: readonly string[]
}

const current = new AsyncLocalStorage<string[]>()
const frame = /^(begin|start transaction|commit|rollback|savepoint|release)\b/i
let probing = false

/**
 * Counts what `work` sends to PostgreSQL, through whatever pool, `db` or `pool` or a queue's. Statements of others that
 * run at the same time are not counted: they run in another asynchronous context.
 */
export async function countStatements<T>(work: () => Promise<T>): Promise<StatementCount & { result: T }> {
  installProbe()
  const texts: string[] = []
  const result = await current.run(texts, work)
  return { result, texts, roundTrips: texts.length, statements: texts.filter((text) => !frame.test(text)).length }
}

/** Every statement passes `pg.Client.query`, whoever sends it, so the probe stands there; tests only. */
function installProbe(): void {
  if (probing) return
  probing = true
  const query = pg.Client.prototype.query
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    current.getStore()?.push(textOf(args[0]))
    return Reflect.apply(query, this, args)
  } as pg.Client['query']
}

function textOf(statement: unknown): string {
  if (typeof statement === 'string') return statement
  const text = (statement as { text?: unknown } | null)?.text
  return typeof text === 'string' ? text : String(statement)
}
