import pg from 'pg'

/** Learns a statement's text and values. `isPooled`: a pool sends it, outside of its sender's context. */
export type StatementListener = (text: string, values: readonly unknown[], isPooled: boolean) => void

const sent: StatementListener[] = []
const pooled: StatementListener[] = []

/** Tells the listener every statement that this process sends to PostgreSQL, through any pool. For tests only. */
export function probeStatements(listener: StatementListener): void {
  // Every statement passes it.
  if (sent.length === 0) wrap(pg.Client.prototype, sent)
  sent.push(listener)
}

/** The same as a statement enters a pool: it may wait there, and is sent without the stack of its sender. */
export function probePooledStatements(listener: StatementListener): void {
  if (pooled.length === 0) wrap(pg.Pool.prototype, pooled)
  pooled.push(listener)
}

function wrap(target: { query: unknown }, listeners: readonly StatementListener[]): void {
  const query = target.query as (...args: unknown[]) => unknown
  target.query = function (this: unknown, ...args: unknown[]) {
    const [statement, later] = args
    const { text, values } = (
      typeof statement === 'object' && statement !== null ? statement : { text: statement }
    ) as {
      readonly text?: unknown
      readonly values?: unknown
    }
    const own = Array.isArray(values) ? values : Array.isArray(later) ? later : []
    // Only a pool takes the result by a callback.
    const isPooled = typeof args.at(-1) === 'function'
    for (const listen of listeners) listen(typeof text === 'string' ? text : String(statement), own, isPooled)
    return Reflect.apply(query, this, args)
  }
}
